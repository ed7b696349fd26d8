-- +goose Up
-- add column "business_id" to table: "addresses"
ALTER TABLE `addresses` ADD COLUMN `business_id` integer NULL CONSTRAINT `addresses_businesses_business` REFERENCES `businesses` (`id`) ON DELETE NO ACTION;
-- create index "address_business_id" to table: "addresses"
CREATE INDEX `address_business_id` ON `addresses` (`business_id`);
-- create index "business_parent_id" to table: "businesses"
CREATE INDEX `business_parent_id` ON `businesses` (`parent_id`);
-- create index "business_manager_id" to table: "businesses"
CREATE INDEX `business_manager_id` ON `businesses` (`manager_id`);
-- add column "description" to table: "designations"
ALTER TABLE `designations` ADD COLUMN `description` text NULL;
-- add column "parent_id" to table: "designations"
ALTER TABLE `designations` ADD COLUMN `parent_id` integer NULL CONSTRAINT `designations_designations_children` REFERENCES `designations` (`id`) ON DELETE NO ACTION;
-- create index "designation_parent_id" to table: "designations"
CREATE INDEX `designation_parent_id` ON `designations` (`parent_id`);

-- +goose Down
-- This cannot be undone: restore a backup.
SELECT * FROM cannot_be_undone;
