-- +goose Up
-- create "certificates" table
CREATE TABLE `certificates` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(300) NOT NULL,
  `sealed` mediumtext NULL,
  `holder` varchar(32) NULL,
  `lease_until` datetime(6) NULL,
  `expires_at` datetime(6) NULL,
  `updated_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `name` (`name`),
  INDEX `certificate_expires_at` (`expires_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "certificates" table
DROP TABLE `certificates`;
