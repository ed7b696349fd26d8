-- +goose Up
-- modify "businesses" table
ALTER TABLE `businesses` ADD COLUMN `search_name` varchar(400) NULL;
-- modify "projects" table
ALTER TABLE `projects` ADD COLUMN `search_name` varchar(400) NULL;
-- modify "users" table
ALTER TABLE `users` ADD COLUMN `search_name` varchar(400) NULL;

-- +goose Down
-- reverse: modify "users" table
ALTER TABLE `users` DROP COLUMN `search_name`;
-- reverse: modify "projects" table
ALTER TABLE `projects` DROP COLUMN `search_name`;
-- reverse: modify "businesses" table
ALTER TABLE `businesses` DROP COLUMN `search_name`;
