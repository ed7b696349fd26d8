-- +goose Up
-- create "new_attendances" table
CREATE TABLE `new_attendances` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `work_date` text NOT NULL,
  `open_marker` integer NULL DEFAULT (1),
  `needs_confirmation` bool NOT NULL DEFAULT (false),
  `auto_closed` bool NOT NULL DEFAULT (false),
  `closing_rule` text NULL,
  `check_at` datetime NULL,
  `reminders` integer NOT NULL DEFAULT (0),
  `face_matched` bool NULL,
  `face_verdict` text NOT NULL DEFAULT ('none'),
  `face_distance` real NULL,
  `face_version` integer NULL,
  `face_policy` text NULL,
  `face_digest` blob NULL,
  `clocked_out_face_verdict` text NOT NULL DEFAULT ('none'),
  `clocked_out_face_distance` real NULL,
  `clocked_out_face_version` integer NULL,
  `clocked_out_face_policy` text NULL,
  `clocked_out_face_digest` blob NULL,
  `clocked_in_at` datetime NOT NULL,
  `clocked_in_local` text NOT NULL,
  `clocked_in_offset` integer NOT NULL,
  `clocked_in_zone` text NOT NULL,
  `clocked_in_received_at` datetime NOT NULL,
  `clocked_in_latitude` real NOT NULL,
  `clocked_in_longitude` real NOT NULL,
  `clocked_in_source` text NOT NULL,
  `clocked_in_geofence` text NOT NULL,
  `clocked_in_recorded_at` datetime NULL,
  `clocked_in_accuracy` real NULL,
  `clocked_in_mocked` bool NULL,
  `clocked_in_distance` integer NULL,
  `clocked_in_note` text NULL,
  `clocked_in_flags` text NULL,
  `clocked_in_device_id` integer NULL,
  `clocked_in_verdict` text NULL,
  `clocked_in_review` text NOT NULL DEFAULT ('none'),
  `clocked_in_reviewed_at` datetime NULL,
  `clocked_in_review_note` text NULL,
  `clocked_out_at` datetime NULL,
  `clocked_out_local` text NULL,
  `clocked_out_offset` integer NULL,
  `clocked_out_zone` text NULL,
  `clocked_out_received_at` datetime NULL,
  `clocked_out_latitude` real NULL,
  `clocked_out_longitude` real NULL,
  `clocked_out_source` text NULL,
  `clocked_out_geofence` text NULL,
  `clocked_out_recorded_at` datetime NULL,
  `clocked_out_accuracy` real NULL,
  `clocked_out_mocked` bool NULL,
  `clocked_out_distance` integer NULL,
  `clocked_out_note` text NULL,
  `clocked_out_flags` text NULL,
  `clocked_out_device_id` integer NULL,
  `clocked_out_verdict` text NULL,
  `clocked_out_review` text NOT NULL DEFAULT ('none'),
  `clocked_out_reviewed_at` datetime NULL,
  `clocked_out_review_note` text NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `employee_shift_id` integer NOT NULL,
  `address_id` integer NOT NULL,
  `clocked_in_reviewer_id` integer NULL,
  `clocked_out_reviewer_id` integer NULL,
  CONSTRAINT `attendances_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `attendances_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `attendances_employee_shifts_employee_shift` FOREIGN KEY (`employee_shift_id`) REFERENCES `employee_shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `attendances_addresses_address` FOREIGN KEY (`address_id`) REFERENCES `addresses` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `attendances_users_clocked_in_reviewer` FOREIGN KEY (`clocked_in_reviewer_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `attendances_users_clocked_out_reviewer` FOREIGN KEY (`clocked_out_reviewer_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- copy rows from old table "attendances" to new temporary table "new_attendances"
INSERT INTO `new_attendances` (`id`, `work_date`, `open_marker`, `needs_confirmation`, `face_matched`, `face_verdict`, `face_distance`, `face_version`, `face_policy`, `face_digest`, `clocked_out_face_verdict`, `clocked_out_face_distance`, `clocked_out_face_version`, `clocked_out_face_policy`, `clocked_out_face_digest`, `clocked_in_at`, `clocked_in_local`, `clocked_in_offset`, `clocked_in_zone`, `clocked_in_received_at`, `clocked_in_latitude`, `clocked_in_longitude`, `clocked_in_source`, `clocked_in_geofence`, `clocked_in_recorded_at`, `clocked_in_accuracy`, `clocked_in_mocked`, `clocked_in_distance`, `clocked_in_note`, `clocked_in_flags`, `clocked_in_device_id`, `clocked_in_verdict`, `clocked_in_review`, `clocked_in_reviewed_at`, `clocked_in_review_note`, `clocked_out_at`, `clocked_out_local`, `clocked_out_offset`, `clocked_out_zone`, `clocked_out_received_at`, `clocked_out_latitude`, `clocked_out_longitude`, `clocked_out_source`, `clocked_out_geofence`, `clocked_out_recorded_at`, `clocked_out_accuracy`, `clocked_out_mocked`, `clocked_out_distance`, `clocked_out_note`, `clocked_out_flags`, `clocked_out_device_id`, `clocked_out_verdict`, `clocked_out_review`, `clocked_out_reviewed_at`, `clocked_out_review_note`, `company_id`, `user_id`, `employee_shift_id`, `address_id`, `clocked_in_reviewer_id`, `clocked_out_reviewer_id`) SELECT `id`, `work_date`, `open_marker`, `needs_confirmation`, `face_matched`, `face_verdict`, `face_distance`, `face_version`, `face_policy`, `face_digest`, `clocked_out_face_verdict`, `clocked_out_face_distance`, `clocked_out_face_version`, `clocked_out_face_policy`, `clocked_out_face_digest`, `clocked_in_at`, `clocked_in_local`, `clocked_in_offset`, `clocked_in_zone`, `clocked_in_received_at`, `clocked_in_latitude`, `clocked_in_longitude`, `clocked_in_source`, `clocked_in_geofence`, `clocked_in_recorded_at`, `clocked_in_accuracy`, `clocked_in_mocked`, `clocked_in_distance`, `clocked_in_note`, `clocked_in_flags`, `clocked_in_device_id`, `clocked_in_verdict`, `clocked_in_review`, `clocked_in_reviewed_at`, `clocked_in_review_note`, `clocked_out_at`, `clocked_out_local`, `clocked_out_offset`, `clocked_out_zone`, `clocked_out_received_at`, `clocked_out_latitude`, `clocked_out_longitude`, `clocked_out_source`, `clocked_out_geofence`, `clocked_out_recorded_at`, `clocked_out_accuracy`, `clocked_out_mocked`, `clocked_out_distance`, `clocked_out_note`, `clocked_out_flags`, `clocked_out_device_id`, `clocked_out_verdict`, `clocked_out_review`, `clocked_out_reviewed_at`, `clocked_out_review_note`, `company_id`, `user_id`, `employee_shift_id`, `address_id`, `clocked_in_reviewer_id`, `clocked_out_reviewer_id` FROM `attendances`;
-- drop "attendances" table after copying rows
DROP TABLE `attendances`;
-- rename temporary table "new_attendances" to "attendances"
ALTER TABLE `new_attendances` RENAME TO `attendances`;
-- create index "attendance_user_id_open_marker" to table: "attendances"
CREATE UNIQUE INDEX `attendance_user_id_open_marker` ON `attendances` (`user_id`, `open_marker`);
-- create index "attendance_user_id_employee_shift_id_clocked_in_recorded_at" to table: "attendances"
CREATE UNIQUE INDEX `attendance_user_id_employee_shift_id_clocked_in_recorded_at` ON `attendances` (`user_id`, `employee_shift_id`, `clocked_in_recorded_at`);
-- create index "attendance_open_marker_check_at" to table: "attendances"
CREATE INDEX `attendance_open_marker_check_at` ON `attendances` (`open_marker`, `check_at`);
-- create index "attendance_company_id_user_id_work_date" to table: "attendances"
CREATE INDEX `attendance_company_id_user_id_work_date` ON `attendances` (`company_id`, `user_id`, `work_date`);
-- create index "attendance_company_id_user_id_clocked_out_at" to table: "attendances"
CREATE INDEX `attendance_company_id_user_id_clocked_out_at` ON `attendances` (`company_id`, `user_id`, `clocked_out_at`);
-- create index "attendance_company_id_clocked_in_at" to table: "attendances"
CREATE INDEX `attendance_company_id_clocked_in_at` ON `attendances` (`company_id`, `clocked_in_at`);
-- create index "attendance_company_id_clocked_in_review_clocked_in_at" to table: "attendances"
CREATE INDEX `attendance_company_id_clocked_in_review_clocked_in_at` ON `attendances` (`company_id`, `clocked_in_review`, `clocked_in_at`);
-- create index "attendance_company_id_clocked_out_review_clocked_in_at" to table: "attendances"
CREATE INDEX `attendance_company_id_clocked_out_review_clocked_in_at` ON `attendances` (`company_id`, `clocked_out_review`, `clocked_in_at`);
-- create index "attendance_company_id_face_digest" to table: "attendances"
CREATE INDEX `attendance_company_id_face_digest` ON `attendances` (`company_id`, `face_digest`);
-- create index "attendance_company_id_clocked_out_face_digest" to table: "attendances"
CREATE INDEX `attendance_company_id_clocked_out_face_digest` ON `attendances` (`company_id`, `clocked_out_face_digest`);
-- create "new_employee_shifts" table
CREATE TABLE `new_employee_shifts` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `shift_version` integer NOT NULL,
  `origin` text NOT NULL DEFAULT ('assignment'),
  `name` text NOT NULL,
  `date` text NOT NULL,
  `start_at` datetime NOT NULL,
  `end_at` datetime NOT NULL,
  `clock_in_from` datetime NOT NULL,
  `clock_in_until` datetime NOT NULL,
  `breaks` text NULL,
  `break_seconds` integer NOT NULL,
  `break_minutes` integer NOT NULL DEFAULT (0),
  `break_after_minutes` integer NOT NULL DEFAULT (0),
  `late_grace_minutes` integer NULL,
  `early_grace_minutes` integer NULL,
  `half_day_below_minutes` integer NOT NULL DEFAULT (0),
  `absent_below_minutes` integer NOT NULL DEFAULT (0),
  `working_hours` text NOT NULL DEFAULT ('first_last'),
  `timezone` text NOT NULL,
  `evaluated_at` datetime NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `assignment_id` integer NULL,
  `shift_id` integer NOT NULL,
  CONSTRAINT `employee_shifts_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `employee_shifts_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `employee_shifts_shift_assignments_assignment` FOREIGN KEY (`assignment_id`) REFERENCES `shift_assignments` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `employee_shifts_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION
);
-- copy rows from old table "employee_shifts" to new temporary table "new_employee_shifts"
INSERT INTO `new_employee_shifts` (`id`, `shift_version`, `origin`, `name`, `date`, `start_at`, `end_at`, `clock_in_from`, `clock_in_until`, `breaks`, `break_seconds`, `break_minutes`, `break_after_minutes`, `late_grace_minutes`, `early_grace_minutes`, `half_day_below_minutes`, `absent_below_minutes`, `working_hours`, `timezone`, `company_id`, `user_id`, `assignment_id`, `shift_id`) SELECT `id`, `shift_version`, `origin`, `name`, `date`, `start_at`, `end_at`, `clock_in_from`, `clock_in_until`, `breaks`, `break_seconds`, `break_minutes`, `break_after_minutes`, `late_grace_minutes`, `early_grace_minutes`, `half_day_below_minutes`, `absent_below_minutes`, `working_hours`, `timezone`, `company_id`, `user_id`, `assignment_id`, `shift_id` FROM `employee_shifts`;
-- drop "employee_shifts" table after copying rows
DROP TABLE `employee_shifts`;
-- rename temporary table "new_employee_shifts" to "employee_shifts"
ALTER TABLE `new_employee_shifts` RENAME TO `employee_shifts`;
-- create index "employeeshift_user_id_date_shift_id" to table: "employee_shifts"
CREATE UNIQUE INDEX `employeeshift_user_id_date_shift_id` ON `employee_shifts` (`user_id`, `date`, `shift_id`);
-- create index "employeeshift_assignment_id" to table: "employee_shifts"
CREATE INDEX `employeeshift_assignment_id` ON `employee_shifts` (`assignment_id`);
-- create index "employeeshift_company_id_user_id_date" to table: "employee_shifts"
CREATE INDEX `employeeshift_company_id_user_id_date` ON `employee_shifts` (`company_id`, `user_id`, `date`);
-- create index "employeeshift_company_id_evaluated_at_clock_in_until" to table: "employee_shifts"
CREATE INDEX `employeeshift_company_id_evaluated_at_clock_in_until` ON `employee_shifts` (`company_id`, `evaluated_at`, `clock_in_until`);
-- create "shift_results" table
CREATE TABLE `shift_results` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `date` text NOT NULL,
  `status` text NOT NULL,
  `off` bool NOT NULL DEFAULT (false),
  `late_seconds` integer NOT NULL DEFAULT (0),
  `early_seconds` integer NOT NULL DEFAULT (0),
  `worked_seconds` integer NOT NULL DEFAULT (0),
  `expected_seconds` integer NOT NULL DEFAULT (0),
  `overtime_seconds` integer NOT NULL DEFAULT (0),
  `evaluated_at` datetime NOT NULL,
  `employee_shift_id` integer NOT NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `shift_results_employee_shifts_result` FOREIGN KEY (`employee_shift_id`) REFERENCES `employee_shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_results_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_results_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "shift_results_employee_shift_id_key" to table: "shift_results"
CREATE UNIQUE INDEX `shift_results_employee_shift_id_key` ON `shift_results` (`employee_shift_id`);
-- create index "shiftresult_company_id_user_id_date" to table: "shift_results"
CREATE INDEX `shiftresult_company_id_user_id_date` ON `shift_results` (`company_id`, `user_id`, `date`);
-- create index "shiftresult_company_id_date" to table: "shift_results"
CREATE INDEX `shiftresult_company_id_date` ON `shift_results` (`company_id`, `date`);
-- the rule closed these, by the hours alone so far
UPDATE `attendances` SET `auto_closed` = true, `closing_rule` = 'hours' WHERE `clocked_out_source` = 'auto';

-- +goose Down
-- This cannot be undone: restore a backup.
SELECT * FROM cannot_be_undone;
