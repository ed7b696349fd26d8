-- +goose Up
-- create "instances" table
CREATE TABLE `instances` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(32) NOT NULL,
  `writes` varchar(32) NOT NULL,
  `opens` varchar(255) NOT NULL,
  `lease_until` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `name` (`name`),
  INDEX `instance_lease_until` (`lease_until`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "instances" table
DROP TABLE `instances`;
