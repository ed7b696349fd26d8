-- +goose Up
-- add column "trace" to table: "messages"
ALTER TABLE `messages` ADD COLUMN `trace` text NULL;
-- add column "trace" to table: "jobs"
ALTER TABLE `jobs` ADD COLUMN `trace` text NULL;

-- +goose Down
-- reverse: add column "trace" to table: "jobs"
ALTER TABLE `jobs` DROP COLUMN `trace`;
-- reverse: add column "trace" to table: "messages"
ALTER TABLE `messages` DROP COLUMN `trace`;
