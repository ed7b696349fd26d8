-- +goose Up
-- add columns to table: "addresses"
ALTER TABLE `addresses` ADD COLUMN `points` text NULL;
ALTER TABLE `addresses` ADD COLUMN `policies` text NULL;
ALTER TABLE `addresses` ADD COLUMN `weekly_offs` text NULL;
ALTER TABLE `addresses` ADD COLUMN `active` bool NOT NULL DEFAULT true;
-- policies that differ from the company's default
UPDATE `addresses` SET `policies` = '{"geofenceIn":"' || `geofence_in` || '","geofenceOut":"' || `geofence_out` || '"}' WHERE `geofence_in` <> 'block' OR `geofence_out` <> 'flag';
-- names that another address of the company has
UPDATE `addresses` SET `name` = substr(`name`, 1, 80) || ' (' || `id` || ')', `sort_name` = substr(`sort_name`, 1, 80) || ' (' || `id` || ')' WHERE EXISTS (SELECT 1 FROM `addresses` `b` WHERE `b`.`company_id` = `addresses`.`company_id` AND `b`.`sort_name` = `addresses`.`sort_name` AND `b`.`id` < `addresses`.`id`);
-- index "address_company_id_sort_name" of table: "addresses"
DROP INDEX `address_company_id_sort_name`;
CREATE UNIQUE INDEX `address_company_id_sort_name` ON `addresses` (`company_id`, `sort_name`);
-- add column "settings" to table: "companies"
ALTER TABLE `companies` ADD COLUMN `settings` text NULL;
-- add column "policies" to table: "users"
ALTER TABLE `users` ADD COLUMN `policies` text NULL;
-- create "holidays" table
CREATE TABLE `holidays` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `date` text NOT NULL,
  `half` bool NOT NULL DEFAULT (false),
  `place` integer NOT NULL DEFAULT (0),
  `uid` text NULL,
  `company_id` integer NOT NULL,
  `address_id` integer NULL,
  CONSTRAINT `holidays_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `holidays_addresses_address` FOREIGN KEY (`address_id`) REFERENCES `addresses` (`id`) ON DELETE NO ACTION
);
-- create index "holiday_company_id_date_place_sort_name" to table: "holidays"
CREATE UNIQUE INDEX `holiday_company_id_date_place_sort_name` ON `holidays` (`company_id`, `date`, `place`, `sort_name`);
-- create index "holiday_company_id_place_uid_date" to table: "holidays"
CREATE UNIQUE INDEX `holiday_company_id_place_uid_date` ON `holidays` (`company_id`, `place`, `uid`, `date`);
-- create index "message_company_id_created_at" to table: "messages"
CREATE INDEX `message_company_id_created_at` ON `messages` (`company_id`, `created_at`);

-- +goose Down
-- This cannot be undone: restore a backup.
SELECT * FROM cannot_be_undone;
