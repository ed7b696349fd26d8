-- +goose Up
-- modify "companies" table
ALTER TABLE `companies` ADD COLUMN `version` bigint NOT NULL DEFAULT 1;
-- modify "tickets" table
ALTER TABLE `tickets` ADD COLUMN `version` bigint NOT NULL DEFAULT 1;

-- +goose Down
-- reverse: modify "tickets" table
ALTER TABLE `tickets` DROP COLUMN `version`;
-- reverse: modify "companies" table
ALTER TABLE `companies` DROP COLUMN `version`;
