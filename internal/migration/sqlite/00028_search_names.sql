-- +goose Up
-- add column "search_name" to table: "businesses"
ALTER TABLE `businesses` ADD COLUMN `search_name` text NULL;
-- add column "search_name" to table: "users"
ALTER TABLE `users` ADD COLUMN `search_name` text NULL;
-- add column "search_name" to table: "projects"
ALTER TABLE `projects` ADD COLUMN `search_name` text NULL;

-- +goose Down
-- reverse: add column "search_name" to table: "projects"
ALTER TABLE `projects` DROP COLUMN `search_name`;
-- reverse: add column "search_name" to table: "users"
ALTER TABLE `users` DROP COLUMN `search_name`;
-- reverse: add column "search_name" to table: "businesses"
ALTER TABLE `businesses` DROP COLUMN `search_name`;
