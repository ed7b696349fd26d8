-- +goose Up
-- add column "clocked_in_verdict" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_in_verdict` text NULL;
-- add column "clocked_in_review" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_in_review` text NOT NULL DEFAULT ('none');
-- add column "clocked_in_reviewed_at" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_in_reviewed_at` datetime NULL;
-- add column "clocked_in_review_note" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_in_review_note` text NULL;
-- add column "clocked_out_verdict" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_out_verdict` text NULL;
-- add column "clocked_out_review" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_out_review` text NOT NULL DEFAULT ('none');
-- add column "clocked_out_reviewed_at" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_out_reviewed_at` datetime NULL;
-- add column "clocked_out_review_note" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_out_review_note` text NULL;
-- add column "clocked_in_reviewer_id" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_in_reviewer_id` integer NULL CONSTRAINT `attendances_users_clocked_in_reviewer` REFERENCES `users` (`id`) ON DELETE NO ACTION;
-- add column "clocked_out_reviewer_id" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_out_reviewer_id` integer NULL CONSTRAINT `attendances_users_clocked_out_reviewer` REFERENCES `users` (`id`) ON DELETE NO ACTION;
-- create index "attendance_company_id_clocked_in_review_clocked_in_at" to table: "attendances"
CREATE INDEX `attendance_company_id_clocked_in_review_clocked_in_at` ON `attendances` (`company_id`, `clocked_in_review`, `clocked_in_at`);
-- create index "attendance_company_id_clocked_out_review_clocked_in_at" to table: "attendances"
CREATE INDEX `attendance_company_id_clocked_out_review_clocked_in_at` ON `attendances` (`company_id`, `clocked_out_review`, `clocked_in_at`);
-- create "allowed_places" table
CREATE TABLE `allowed_places` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `of` text NOT NULL,
  `company_id` integer NOT NULL,
  `address_id` integer NOT NULL,
  `user_id` integer NULL,
  `shift_id` integer NULL,
  `designation_id` integer NULL,
  `business_id` integer NULL,
  CONSTRAINT `allowed_places_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `allowed_places_addresses_address` FOREIGN KEY (`address_id`) REFERENCES `addresses` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `allowed_places_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `allowed_places_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `allowed_places_designations_designation` FOREIGN KEY (`designation_id`) REFERENCES `designations` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `allowed_places_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION
);
-- create index "allowedplace_user_id_address_id" to table: "allowed_places"
CREATE UNIQUE INDEX `allowedplace_user_id_address_id` ON `allowed_places` (`user_id`, `address_id`);
-- create index "allowedplace_shift_id_address_id" to table: "allowed_places"
CREATE UNIQUE INDEX `allowedplace_shift_id_address_id` ON `allowed_places` (`shift_id`, `address_id`);
-- create index "allowedplace_designation_id_address_id" to table: "allowed_places"
CREATE UNIQUE INDEX `allowedplace_designation_id_address_id` ON `allowed_places` (`designation_id`, `address_id`);
-- create index "allowedplace_business_id_address_id" to table: "allowed_places"
CREATE UNIQUE INDEX `allowedplace_business_id_address_id` ON `allowed_places` (`business_id`, `address_id`);
-- create index "allowedplace_company_id_business_id" to table: "allowed_places"
CREATE INDEX `allowedplace_company_id_business_id` ON `allowed_places` (`company_id`, `business_id`);
-- create "exemptions" table
CREATE TABLE `exemptions` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `rule` text NOT NULL,
  `ends_on` text NOT NULL,
  `note` text NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `exemptions_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `exemptions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "exemption_user_id_rule" to table: "exemptions"
CREATE UNIQUE INDEX `exemption_user_id_rule` ON `exemptions` (`user_id`, `rule`);
-- create index "exemption_company_id_ends_on" to table: "exemptions"
CREATE INDEX `exemption_company_id_ends_on` ON `exemptions` (`company_id`, `ends_on`);

-- +goose Down
-- This cannot be undone: restore a backup.
SELECT * FROM cannot_be_undone;
