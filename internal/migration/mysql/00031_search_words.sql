-- +goose Up
-- modify "task_categories" table
ALTER TABLE `task_categories` ADD COLUMN `search_name` varchar(400) NULL;

-- +goose Down
-- reverse: modify "task_categories" table
ALTER TABLE `task_categories` DROP COLUMN `search_name`;
