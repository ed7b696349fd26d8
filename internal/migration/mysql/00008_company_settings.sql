-- +goose Up
-- modify "companies" table
ALTER TABLE `companies` ADD COLUMN `settings` text NULL;
-- modify "users" table
ALTER TABLE `users` ADD COLUMN `policies` text NULL;
-- modify "addresses" table
ALTER TABLE `addresses` ADD COLUMN `points` text NULL, ADD COLUMN `policies` text NULL, ADD COLUMN `weekly_offs` text NULL, ADD COLUMN `active` bool NOT NULL DEFAULT true;
-- policies that differ from the company's default
UPDATE `addresses` SET `policies` = CONCAT('{"geofenceIn":"', `geofence_in`, '","geofenceOut":"', `geofence_out`, '"}') WHERE `geofence_in` <> 'block' OR `geofence_out` <> 'flag';
-- names that another address of the company has
UPDATE `addresses` `a` JOIN `addresses` `b` ON `b`.`company_id` = `a`.`company_id` AND `b`.`sort_name` = `a`.`sort_name` AND `b`.`id` < `a`.`id` SET `a`.`name` = CONCAT(LEFT(`a`.`name`, 80), ' (', `a`.`id`, ')'), `a`.`sort_name` = CONCAT(LEFT(`a`.`sort_name`, 80), ' (', `a`.`id`, ')');
-- modify "addresses" table
ALTER TABLE `addresses` DROP INDEX `address_company_id_sort_name`, ADD UNIQUE INDEX `address_company_id_sort_name` (`company_id`, `sort_name`);
-- create "holidays" table
CREATE TABLE `holidays` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `date` char(10) NOT NULL,
  `half` bool NOT NULL DEFAULT false,
  `place` bigint NOT NULL DEFAULT 0,
  `uid` varchar(255) NULL,
  `company_id` bigint NOT NULL,
  `address_id` bigint NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `holiday_company_id_date_place_sort_name` (`company_id`, `date`, `place`, `sort_name`),
  UNIQUE INDEX `holiday_company_id_place_uid_date` (`company_id`, `place`, `uid`, `date`),
  CONSTRAINT `holidays_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `holidays_addresses_address` FOREIGN KEY (`address_id`) REFERENCES `addresses` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create index "message_company_id_created_at" to table: "messages"
CREATE INDEX `message_company_id_created_at` ON `messages` (`company_id`, `created_at`);

-- +goose Down
-- reverse: create index "message_company_id_created_at" to table: "messages"
DROP INDEX `message_company_id_created_at` ON `messages`;
-- reverse: create "holidays" table
DROP TABLE `holidays`;
-- reverse: modify "addresses" table
ALTER TABLE `addresses` DROP INDEX `address_company_id_sort_name`, DROP COLUMN `active`, DROP COLUMN `weekly_offs`, DROP COLUMN `policies`, DROP COLUMN `points`, ADD INDEX `address_company_id_sort_name` (`company_id`, `sort_name`);
-- reverse: modify "users" table
ALTER TABLE `users` DROP COLUMN `policies`;
-- reverse: modify "companies" table
ALTER TABLE `companies` DROP COLUMN `settings`;
