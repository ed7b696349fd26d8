-- +goose Up
-- modify "clock_states" table
ALTER TABLE `clock_states` ADD COLUMN `planned_until` char(10) NULL, ADD COLUMN `timezone` varchar(64) NULL, ADD INDEX `clockstate_planned_until` (`planned_until`);
-- modify "employee_shifts" table
ALTER TABLE `employee_shifts` DROP FOREIGN KEY `employee_shifts_shift_assignments_assignment`;
-- modify "employee_shifts" table
ALTER TABLE `employee_shifts` MODIFY COLUMN `assignment_id` bigint NULL, ADD COLUMN `origin` enum('assignment','planned_day','rotation','fallback') NOT NULL DEFAULT 'assignment', ADD COLUMN `break_minutes` bigint NOT NULL DEFAULT 0, ADD COLUMN `break_after_minutes` bigint NOT NULL DEFAULT 0, DROP INDEX `employeeshift_assignment_id_date`, ADD UNIQUE INDEX `employeeshift_user_id_date_shift_id` (`user_id`, `date`, `shift_id`), ADD INDEX `employeeshift_assignment_id` (`assignment_id`), ADD CONSTRAINT `employee_shifts_shift_assignments_assignment` FOREIGN KEY (`assignment_id`) REFERENCES `shift_assignments` (`id`) ON DELETE NO ACTION;
-- modify "shifts" table
ALTER TABLE `shifts` ADD COLUMN `break_minutes` bigint NOT NULL DEFAULT 0, ADD COLUMN `break_after_minutes` bigint NOT NULL DEFAULT 0, ADD COLUMN `applies_from` char(10) NOT NULL DEFAULT '0001-01-01', ADD COLUMN `colour` varchar(7) NULL, ADD COLUMN `active` bool NOT NULL DEFAULT true;
-- create "fallback_shifts" table
CREATE TABLE `fallback_shifts` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `created_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `shift_id` bigint NOT NULL,
  `user_id` bigint NULL,
  `designation_id` bigint NULL,
  `business_id` bigint NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `fallbackshift_user_id` (`user_id`),
  UNIQUE INDEX `fallbackshift_designation_id` (`designation_id`),
  UNIQUE INDEX `fallbackshift_business_id` (`business_id`),
  INDEX `fallbackshift_company_id` (`company_id`),
  CONSTRAINT `fallback_shifts_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `fallback_shifts_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `fallback_shifts_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `fallback_shifts_designations_designation` FOREIGN KEY (`designation_id`) REFERENCES `designations` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `fallback_shifts_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "planned_days" table
CREATE TABLE `planned_days` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `date` char(10) NOT NULL,
  `shift_ids` text NOT NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `plannedday_user_id_date` (`user_id`, `date`),
  INDEX `plannedday_company_id_date` (`company_id`, `date`),
  CONSTRAINT `planned_days_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `planned_days_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "rotations" table
CREATE TABLE `rotations` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `days` text NOT NULL,
  `company_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `rotation_company_id_sort_name` (`company_id`, `sort_name`),
  CONSTRAINT `rotations_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "rotation_assignments" table
CREATE TABLE `rotation_assignments` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `starts_on` char(10) NOT NULL,
  `ends_on` char(10) NULL,
  `first_day` bigint NOT NULL DEFAULT 1,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `rotation_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `rotationassignment_company_id_user_id_starts_on` (`company_id`, `user_id`, `starts_on`),
  CONSTRAINT `rotation_assignments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `rotation_assignments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `rotation_assignments_rotations_rotation` FOREIGN KEY (`rotation_id`) REFERENCES `rotations` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "shift_swaps" table
CREATE TABLE `shift_swaps` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `date` char(10) NOT NULL,
  `wanted_date` char(10) NOT NULL,
  `state` enum('asked','agreed','approved','refused','cancelled','expired') NOT NULL DEFAULT 'asked',
  `pending` tinyint NULL DEFAULT 1,
  `note` varchar(1000) NULL,
  `decision_note` varchar(1000) NULL,
  `decided_by` bigint NULL,
  `expires_at` datetime(6) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `decided_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `shift_id` bigint NOT NULL,
  `colleague_id` bigint NULL,
  `wanted_shift_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `shiftswap_user_id_date_shift_id_pending` (`user_id`, `date`, `shift_id`, `pending`),
  INDEX `shiftswap_company_id_state_expires_at` (`company_id`, `state`, `expires_at`),
  CONSTRAINT `shift_swaps_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_swaps_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_swaps_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_swaps_users_colleague` FOREIGN KEY (`colleague_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_swaps_shifts_wanted_shift` FOREIGN KEY (`wanted_shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "shift_versions" table
CREATE TABLE `shift_versions` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `start_time` varchar(5) NOT NULL,
  `end_time` varchar(5) NOT NULL,
  `timezone` varchar(64) NULL,
  `opens_before_minutes` bigint NOT NULL DEFAULT 60,
  `closes_after_minutes` bigint NOT NULL DEFAULT 60,
  `late_grace_minutes` bigint NULL,
  `early_grace_minutes` bigint NULL,
  `half_day_below_minutes` bigint NOT NULL DEFAULT 0,
  `absent_below_minutes` bigint NOT NULL DEFAULT 0,
  `breaks` text NULL,
  `break_minutes` bigint NOT NULL DEFAULT 0,
  `break_after_minutes` bigint NOT NULL DEFAULT 0,
  `working_hours` enum('first_last','every_valid_pair') NOT NULL DEFAULT 'first_last',
  `version` bigint NOT NULL,
  `applies_from` char(10) NOT NULL,
  `company_id` bigint NOT NULL,
  `shift_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `shiftversion_shift_id_applies_from` (`shift_id`, `applies_from`),
  CONSTRAINT `shift_versions_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_versions_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "shift_versions" table
DROP TABLE `shift_versions`;
-- reverse: create "shift_swaps" table
DROP TABLE `shift_swaps`;
-- reverse: create "rotation_assignments" table
DROP TABLE `rotation_assignments`;
-- reverse: create "rotations" table
DROP TABLE `rotations`;
-- reverse: create "planned_days" table
DROP TABLE `planned_days`;
-- reverse: create "fallback_shifts" table
DROP TABLE `fallback_shifts`;
-- reverse: modify "shifts" table
ALTER TABLE `shifts` DROP COLUMN `active`, DROP COLUMN `colour`, DROP COLUMN `applies_from`, DROP COLUMN `break_after_minutes`, DROP COLUMN `break_minutes`;
-- reverse: modify "employee_shifts" table
ALTER TABLE `employee_shifts` DROP FOREIGN KEY `employee_shifts_shift_assignments_assignment`, DROP INDEX `employeeshift_assignment_id`, DROP INDEX `employeeshift_user_id_date_shift_id`, ADD UNIQUE INDEX `employeeshift_assignment_id_date` (`assignment_id`, `date`), DROP COLUMN `break_after_minutes`, DROP COLUMN `break_minutes`, DROP COLUMN `origin`, MODIFY COLUMN `assignment_id` bigint NOT NULL;
-- reverse: modify "employee_shifts" table
ALTER TABLE `employee_shifts` ADD CONSTRAINT `employee_shifts_shift_assignments_assignment` FOREIGN KEY (`assignment_id`) REFERENCES `shift_assignments` (`id`) ON UPDATE RESTRICT ON DELETE NO ACTION;
-- reverse: modify "clock_states" table
ALTER TABLE `clock_states` DROP INDEX `clockstate_planned_until`, DROP COLUMN `timezone`, DROP COLUMN `planned_until`;
