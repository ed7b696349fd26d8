-- +goose Up
-- add column "coordinate_consent_at" to table: "users"
ALTER TABLE `users` ADD COLUMN `coordinate_consent_at` datetime NULL;
-- create "positions" table
CREATE TABLE `positions` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `recorded_at` datetime NOT NULL,
  `received_at` datetime NOT NULL,
  `latitude` real NOT NULL,
  `longitude` real NOT NULL,
  `accuracy` real NULL,
  `source` text NOT NULL,
  `hidden` text NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `positions_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `positions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "position_user_id_recorded_at_source" to table: "positions"
CREATE UNIQUE INDEX `position_user_id_recorded_at_source` ON `positions` (`user_id`, `recorded_at`, `source`);
-- create index "position_company_id_user_id_recorded_at" to table: "positions"
CREATE INDEX `position_company_id_user_id_recorded_at` ON `positions` (`company_id`, `user_id`, `recorded_at`);
-- create index "position_company_id_recorded_at" to table: "positions"
CREATE INDEX `position_company_id_recorded_at` ON `positions` (`company_id`, `recorded_at`);

-- +goose Down
-- reverse: create index "position_company_id_recorded_at" to table: "positions"
DROP INDEX `position_company_id_recorded_at`;
-- reverse: create index "position_company_id_user_id_recorded_at" to table: "positions"
DROP INDEX `position_company_id_user_id_recorded_at`;
-- reverse: create index "position_user_id_recorded_at_source" to table: "positions"
DROP INDEX `position_user_id_recorded_at_source`;
-- reverse: create "positions" table
DROP TABLE `positions`;
-- reverse: add column "coordinate_consent_at" to table: "users"
ALTER TABLE `users` DROP COLUMN `coordinate_consent_at`;
