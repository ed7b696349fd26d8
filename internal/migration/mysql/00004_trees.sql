-- +goose Up
-- modify "businesses" table
ALTER TABLE `businesses` ADD INDEX `business_parent_id` (`parent_id`), ADD INDEX `business_manager_id` (`manager_id`);
-- modify "designations" table
ALTER TABLE `designations` ADD COLUMN `description` varchar(400) NULL, ADD COLUMN `parent_id` bigint NULL, ADD INDEX `designation_parent_id` (`parent_id`), ADD CONSTRAINT `designations_designations_children` FOREIGN KEY (`parent_id`) REFERENCES `designations` (`id`) ON DELETE NO ACTION;
-- modify "addresses" table
ALTER TABLE `addresses` ADD COLUMN `business_id` bigint NULL, ADD INDEX `address_business_id` (`business_id`), ADD CONSTRAINT `addresses_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION;

-- +goose Down
-- reverse: modify "addresses" table
ALTER TABLE `addresses` DROP FOREIGN KEY `addresses_businesses_business`, DROP INDEX `address_business_id`, DROP COLUMN `business_id`;
-- reverse: modify "designations" table
ALTER TABLE `designations` DROP FOREIGN KEY `designations_designations_children`, DROP INDEX `designation_parent_id`, DROP COLUMN `parent_id`, DROP COLUMN `description`;
-- reverse: modify "businesses" table
ALTER TABLE `businesses` DROP INDEX `business_manager_id`, DROP INDEX `business_parent_id`;
