-- +goose Up
-- modify "attendances" table
ALTER TABLE `attendances` ADD COLUMN `auto_closed` bool NOT NULL DEFAULT false, ADD COLUMN `closing_rule` enum('hours','shift_end','cap','clock_in') NULL, ADD COLUMN `check_at` datetime(6) NULL, ADD COLUMN `reminders` tinyint NOT NULL DEFAULT 0, ADD INDEX `attendance_open_marker_check_at` (`open_marker`, `check_at`);
-- modify "employee_shifts" table
ALTER TABLE `employee_shifts` ADD COLUMN `evaluated_at` datetime(6) NULL, ADD INDEX `employeeshift_company_id_evaluated_at_clock_in_until` (`company_id`, `evaluated_at`, `clock_in_until`);
-- modify "exemptions" table
ALTER TABLE `exemptions` MODIFY COLUMN `rule` enum('geofence','accuracy','mock','speed','device','face','auto_close') NOT NULL;
-- create "shift_results" table
CREATE TABLE `shift_results` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `date` char(10) NOT NULL,
  `status` enum('none','present','half_day','absent','on_leave','work_from_home','holiday','weekly_off','needs_confirmation') NOT NULL,
  `off` bool NOT NULL DEFAULT false,
  `late_seconds` bigint NOT NULL DEFAULT 0,
  `early_seconds` bigint NOT NULL DEFAULT 0,
  `worked_seconds` bigint NOT NULL DEFAULT 0,
  `expected_seconds` bigint NOT NULL DEFAULT 0,
  `overtime_seconds` bigint NOT NULL DEFAULT 0,
  `evaluated_at` datetime(6) NOT NULL,
  `employee_shift_id` bigint NOT NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `employee_shift_id` (`employee_shift_id`),
  INDEX `shiftresult_company_id_user_id_date` (`company_id`, `user_id`, `date`),
  INDEX `shiftresult_company_id_date` (`company_id`, `date`),
  CONSTRAINT `shift_results_employee_shifts_result` FOREIGN KEY (`employee_shift_id`) REFERENCES `employee_shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_results_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_results_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- the rule closed these, by the hours alone so far
UPDATE `attendances` SET `auto_closed` = true, `closing_rule` = 'hours' WHERE `clocked_out_source` = 'auto';

-- +goose Down
-- reverse: create "shift_results" table
DROP TABLE `shift_results`;
-- reverse: modify "exemptions" table
ALTER TABLE `exemptions` MODIFY COLUMN `rule` enum('geofence','accuracy','mock','speed','device','face') NOT NULL;
-- reverse: modify "employee_shifts" table
ALTER TABLE `employee_shifts` DROP INDEX `employeeshift_company_id_evaluated_at_clock_in_until`, DROP COLUMN `evaluated_at`;
-- reverse: modify "attendances" table
ALTER TABLE `attendances` DROP INDEX `attendance_open_marker_check_at`, DROP COLUMN `reminders`, DROP COLUMN `check_at`, DROP COLUMN `closing_rule`, DROP COLUMN `auto_closed`;
