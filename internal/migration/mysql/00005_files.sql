-- +goose Up
-- modify "companies" table
ALTER TABLE `companies` ADD COLUMN `logo_file_id` bigint NULL, ADD INDEX `company_logo_file_id` (`logo_file_id`);
-- modify "users" table
ALTER TABLE `users` ADD COLUMN `image_file_id` bigint NULL, ADD INDEX `user_image_file_id` (`image_file_id`);
-- create "files" table
CREATE TABLE `files` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(64) NOT NULL,
  `digest` binary(32) NULL,
  `size` bigint NOT NULL,
  `media_type` varchar(100) NOT NULL,
  `width` bigint NOT NULL DEFAULT 0,
  `height` bigint NOT NULL DEFAULT 0,
  `uses` bigint NOT NULL DEFAULT 0,
  `pending_since` datetime(6) NULL,
  `created_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `name` (`name`),
  UNIQUE INDEX `file_company_id_digest` (`company_id`, `digest`),
  INDEX `file_pending_since` (`pending_since`),
  CONSTRAINT `files_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "files" table
DROP TABLE `files`;
-- reverse: modify "users" table
ALTER TABLE `users` DROP INDEX `user_image_file_id`, DROP COLUMN `image_file_id`;
-- reverse: modify "companies" table
ALTER TABLE `companies` DROP INDEX `company_logo_file_id`, DROP COLUMN `logo_file_id`;
