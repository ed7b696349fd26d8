-- +goose Up
-- add column "search_name" to table: "task_categories"
ALTER TABLE `task_categories` ADD COLUMN `search_name` text NULL;

-- +goose Down
-- reverse: add column "search_name" to table: "task_categories"
ALTER TABLE `task_categories` DROP COLUMN `search_name`;
