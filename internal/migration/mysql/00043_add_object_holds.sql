-- +goose Up
-- create "object_holds" table
CREATE TABLE `object_holds` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `holder` varchar(32) NOT NULL,
  `lease_until` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `objecthold_lease_until` (`lease_until`),
  UNIQUE INDEX `holder` (`holder`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "object_holds" table
DROP TABLE `object_holds`;
