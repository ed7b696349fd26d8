-- +goose Up
-- modify "jobs" table
ALTER TABLE `jobs` ADD COLUMN `trace` varchar(55) NULL;
-- modify "messages" table
ALTER TABLE `messages` ADD COLUMN `trace` varchar(55) NULL;

-- +goose Down
-- reverse: modify "messages" table
ALTER TABLE `messages` DROP COLUMN `trace`;
-- reverse: modify "jobs" table
ALTER TABLE `jobs` DROP COLUMN `trace`;
