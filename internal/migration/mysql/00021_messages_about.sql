-- +goose Up
-- modify "messages" table
ALTER TABLE `messages` ADD COLUMN `about_id` bigint NULL, ADD INDEX `message_about_id` (`about_id`);

-- +goose Down
-- reverse: modify "messages" table
ALTER TABLE `messages` DROP INDEX `message_about_id`, DROP COLUMN `about_id`;
