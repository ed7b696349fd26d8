-- +goose Up
-- add column "logo_file_id" to table: "companies"
ALTER TABLE `companies` ADD COLUMN `logo_file_id` integer NULL;
-- create index "company_logo_file_id" to table: "companies"
CREATE INDEX `company_logo_file_id` ON `companies` (`logo_file_id`);
-- add column "image_file_id" to table: "users"
ALTER TABLE `users` ADD COLUMN `image_file_id` integer NULL;
-- create index "user_image_file_id" to table: "users"
CREATE INDEX `user_image_file_id` ON `users` (`image_file_id`);
-- create "files" table
CREATE TABLE `files` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `digest` blob NULL,
  `size` integer NOT NULL,
  `media_type` text NOT NULL,
  `width` integer NOT NULL DEFAULT (0),
  `height` integer NOT NULL DEFAULT (0),
  `uses` integer NOT NULL DEFAULT (0),
  `pending_since` datetime NULL,
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  CONSTRAINT `files_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- create index "files_name_key" to table: "files"
CREATE UNIQUE INDEX `files_name_key` ON `files` (`name`);
-- create index "file_company_id_digest" to table: "files"
CREATE UNIQUE INDEX `file_company_id_digest` ON `files` (`company_id`, `digest`);
-- create index "file_pending_since" to table: "files"
CREATE INDEX `file_pending_since` ON `files` (`pending_since`);

-- +goose Down
-- This cannot be undone: restore a backup.
SELECT * FROM cannot_be_undone;
