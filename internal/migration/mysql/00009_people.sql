-- +goose Up
-- modify "one_time_codes" table
ALTER TABLE `one_time_codes` MODIFY COLUMN `purpose` enum('login','reset','first') NOT NULL;
-- create "setup_links" table
CREATE TABLE `setup_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `token_hash` binary(32) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `closed_at` datetime(6) NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `token_hash` (`token_hash`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "setup_links" table
DROP TABLE `setup_links`;
-- reverse: modify "one_time_codes" table
ALTER TABLE `one_time_codes` MODIFY COLUMN `purpose` enum('login','reset') NOT NULL;
