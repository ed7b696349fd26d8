-- +goose Up
-- add column "version" to table: "companies"
ALTER TABLE `companies` ADD COLUMN `version` integer NOT NULL DEFAULT (1);
-- add column "version" to table: "tickets"
ALTER TABLE `tickets` ADD COLUMN `version` integer NOT NULL DEFAULT (1);

-- +goose Down
-- reverse: add column "version" to table: "tickets"
ALTER TABLE `tickets` DROP COLUMN `version`;
-- reverse: add column "version" to table: "companies"
ALTER TABLE `companies` DROP COLUMN `version`;
