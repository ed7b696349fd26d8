-- +goose Up
-- add column "about_id" to table: "messages"
ALTER TABLE `messages` ADD COLUMN `about_id` integer NULL;
-- create index "message_about_id" to table: "messages"
CREATE INDEX `message_about_id` ON `messages` (`about_id`);

-- +goose Down
-- reverse: create index "message_about_id" to table: "messages"
DROP INDEX `message_about_id`;
-- reverse: add column "about_id" to table: "messages"
ALTER TABLE `messages` DROP COLUMN `about_id`;
