-- +goose Up
-- create "allowed_places" table
CREATE TABLE `allowed_places` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `of` enum('user','shift','designation','business') NOT NULL,
  `company_id` bigint NOT NULL,
  `address_id` bigint NOT NULL,
  `user_id` bigint NULL,
  `shift_id` bigint NULL,
  `designation_id` bigint NULL,
  `business_id` bigint NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `allowedplace_user_id_address_id` (`user_id`, `address_id`),
  UNIQUE INDEX `allowedplace_shift_id_address_id` (`shift_id`, `address_id`),
  UNIQUE INDEX `allowedplace_designation_id_address_id` (`designation_id`, `address_id`),
  UNIQUE INDEX `allowedplace_business_id_address_id` (`business_id`, `address_id`),
  INDEX `allowedplace_company_id_business_id` (`company_id`, `business_id`),
  CONSTRAINT `allowed_places_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `allowed_places_addresses_address` FOREIGN KEY (`address_id`) REFERENCES `addresses` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `allowed_places_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `allowed_places_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `allowed_places_designations_designation` FOREIGN KEY (`designation_id`) REFERENCES `designations` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `allowed_places_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- modify "attendances" table
ALTER TABLE `attendances` ADD COLUMN `clocked_in_verdict` text NULL, ADD COLUMN `clocked_in_review` enum('none','pending','accepted','rejected') NOT NULL DEFAULT 'none', ADD COLUMN `clocked_in_reviewed_at` datetime(6) NULL, ADD COLUMN `clocked_in_review_note` varchar(1000) NULL, ADD COLUMN `clocked_out_verdict` text NULL, ADD COLUMN `clocked_out_review` enum('none','pending','accepted','rejected') NOT NULL DEFAULT 'none', ADD COLUMN `clocked_out_reviewed_at` datetime(6) NULL, ADD COLUMN `clocked_out_review_note` varchar(1000) NULL, ADD COLUMN `clocked_in_reviewer_id` bigint NULL, ADD COLUMN `clocked_out_reviewer_id` bigint NULL, ADD INDEX `attendance_company_id_clocked_in_review_clocked_in_at` (`company_id`, `clocked_in_review`, `clocked_in_at`), ADD INDEX `attendance_company_id_clocked_out_review_clocked_in_at` (`company_id`, `clocked_out_review`, `clocked_in_at`), ADD CONSTRAINT `attendances_users_clocked_in_reviewer` FOREIGN KEY (`clocked_in_reviewer_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `attendances_users_clocked_out_reviewer` FOREIGN KEY (`clocked_out_reviewer_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION;
-- create "exemptions" table
CREATE TABLE `exemptions` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `rule` enum('geofence','accuracy','mock','speed','device','face') NOT NULL,
  `ends_on` char(10) NOT NULL,
  `note` varchar(1000) NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `exemption_user_id_rule` (`user_id`, `rule`),
  INDEX `exemption_company_id_ends_on` (`company_id`, `ends_on`),
  CONSTRAINT `exemptions_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `exemptions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "exemptions" table
DROP TABLE `exemptions`;
-- reverse: modify "attendances" table
ALTER TABLE `attendances` DROP FOREIGN KEY `attendances_users_clocked_out_reviewer`, DROP FOREIGN KEY `attendances_users_clocked_in_reviewer`, DROP INDEX `attendance_company_id_clocked_out_review_clocked_in_at`, DROP INDEX `attendance_company_id_clocked_in_review_clocked_in_at`, DROP COLUMN `clocked_out_reviewer_id`, DROP COLUMN `clocked_in_reviewer_id`, DROP COLUMN `clocked_out_review_note`, DROP COLUMN `clocked_out_reviewed_at`, DROP COLUMN `clocked_out_review`, DROP COLUMN `clocked_out_verdict`, DROP COLUMN `clocked_in_review_note`, DROP COLUMN `clocked_in_reviewed_at`, DROP COLUMN `clocked_in_review`, DROP COLUMN `clocked_in_verdict`;
-- reverse: create "allowed_places" table
DROP TABLE `allowed_places`;
