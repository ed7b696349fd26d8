-- +goose Up
-- create "new_clock_states" table
CREATE TABLE `new_clock_states` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `events` integer NOT NULL DEFAULT (0),
  `planned_until` text NULL,
  `timezone` text NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `clock_states_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `clock_states_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- copy rows from old table "clock_states" to new temporary table "new_clock_states"
INSERT INTO `new_clock_states` (`id`, `events`, `company_id`, `user_id`) SELECT `id`, `events`, `company_id`, `user_id` FROM `clock_states`;
-- drop "clock_states" table after copying rows
DROP TABLE `clock_states`;
-- rename temporary table "new_clock_states" to "clock_states"
ALTER TABLE `new_clock_states` RENAME TO `clock_states`;
-- create index "clockstate_user_id" to table: "clock_states"
CREATE UNIQUE INDEX `clockstate_user_id` ON `clock_states` (`user_id`);
-- create index "clockstate_planned_until" to table: "clock_states"
CREATE INDEX `clockstate_planned_until` ON `clock_states` (`planned_until`);
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
INSERT INTO `new_employee_shifts` (`id`, `shift_version`, `name`, `date`, `start_at`, `end_at`, `clock_in_from`, `clock_in_until`, `breaks`, `break_seconds`, `late_grace_minutes`, `early_grace_minutes`, `half_day_below_minutes`, `absent_below_minutes`, `working_hours`, `timezone`, `company_id`, `user_id`, `assignment_id`, `shift_id`) SELECT `id`, `shift_version`, `name`, `date`, `start_at`, `end_at`, `clock_in_from`, `clock_in_until`, `breaks`, `break_seconds`, `late_grace_minutes`, `early_grace_minutes`, `half_day_below_minutes`, `absent_below_minutes`, `working_hours`, `timezone`, `company_id`, `user_id`, `assignment_id`, `shift_id` FROM `employee_shifts`;
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
-- create "new_shifts" table
CREATE TABLE `new_shifts` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `start_time` text NOT NULL,
  `end_time` text NOT NULL,
  `timezone` text NULL,
  `opens_before_minutes` integer NOT NULL DEFAULT (60),
  `closes_after_minutes` integer NOT NULL DEFAULT (60),
  `late_grace_minutes` integer NULL,
  `early_grace_minutes` integer NULL,
  `half_day_below_minutes` integer NOT NULL DEFAULT (0),
  `absent_below_minutes` integer NOT NULL DEFAULT (0),
  `breaks` text NULL,
  `break_minutes` integer NOT NULL DEFAULT (0),
  `break_after_minutes` integer NOT NULL DEFAULT (0),
  `working_hours` text NOT NULL DEFAULT ('first_last'),
  `applies_from` text NOT NULL DEFAULT ('0001-01-01'),
  `colour` text NULL,
  `active` bool NOT NULL DEFAULT (true),
  `version` integer NOT NULL DEFAULT (1),
  `company_id` integer NOT NULL,
  CONSTRAINT `shifts_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- copy rows from old table "shifts" to new temporary table "new_shifts"
INSERT INTO `new_shifts` (`id`, `name`, `sort_name`, `start_time`, `end_time`, `timezone`, `opens_before_minutes`, `closes_after_minutes`, `late_grace_minutes`, `early_grace_minutes`, `half_day_below_minutes`, `absent_below_minutes`, `breaks`, `working_hours`, `version`, `company_id`) SELECT `id`, `name`, `sort_name`, `start_time`, `end_time`, `timezone`, `opens_before_minutes`, `closes_after_minutes`, `late_grace_minutes`, `early_grace_minutes`, `half_day_below_minutes`, `absent_below_minutes`, `breaks`, `working_hours`, `version`, `company_id` FROM `shifts`;
-- drop "shifts" table after copying rows
DROP TABLE `shifts`;
-- rename temporary table "new_shifts" to "shifts"
ALTER TABLE `new_shifts` RENAME TO `shifts`;
-- create index "shift_company_id_sort_name" to table: "shifts"
CREATE INDEX `shift_company_id_sort_name` ON `shifts` (`company_id`, `sort_name`);
-- create "fallback_shifts" table
CREATE TABLE `fallback_shifts` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `shift_id` integer NOT NULL,
  `user_id` integer NULL,
  `designation_id` integer NULL,
  `business_id` integer NULL,
  CONSTRAINT `fallback_shifts_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `fallback_shifts_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `fallback_shifts_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `fallback_shifts_designations_designation` FOREIGN KEY (`designation_id`) REFERENCES `designations` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `fallback_shifts_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION
);
-- create index "fallbackshift_user_id" to table: "fallback_shifts"
CREATE UNIQUE INDEX `fallbackshift_user_id` ON `fallback_shifts` (`user_id`);
-- create index "fallbackshift_designation_id" to table: "fallback_shifts"
CREATE UNIQUE INDEX `fallbackshift_designation_id` ON `fallback_shifts` (`designation_id`);
-- create index "fallbackshift_business_id" to table: "fallback_shifts"
CREATE UNIQUE INDEX `fallbackshift_business_id` ON `fallback_shifts` (`business_id`);
-- create index "fallbackshift_company_id" to table: "fallback_shifts"
CREATE INDEX `fallbackshift_company_id` ON `fallback_shifts` (`company_id`);
-- create "planned_days" table
CREATE TABLE `planned_days` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `date` text NOT NULL,
  `shift_ids` text NOT NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `planned_days_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `planned_days_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "plannedday_user_id_date" to table: "planned_days"
CREATE UNIQUE INDEX `plannedday_user_id_date` ON `planned_days` (`user_id`, `date`);
-- create index "plannedday_company_id_date" to table: "planned_days"
CREATE INDEX `plannedday_company_id_date` ON `planned_days` (`company_id`, `date`);
-- create "rotations" table
CREATE TABLE `rotations` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `days` text NOT NULL,
  `company_id` integer NOT NULL,
  CONSTRAINT `rotations_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- create index "rotation_company_id_sort_name" to table: "rotations"
CREATE UNIQUE INDEX `rotation_company_id_sort_name` ON `rotations` (`company_id`, `sort_name`);
-- create "rotation_assignments" table
CREATE TABLE `rotation_assignments` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `starts_on` text NOT NULL,
  `ends_on` text NULL,
  `first_day` integer NOT NULL DEFAULT (1),
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `rotation_id` integer NOT NULL,
  CONSTRAINT `rotation_assignments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `rotation_assignments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `rotation_assignments_rotations_rotation` FOREIGN KEY (`rotation_id`) REFERENCES `rotations` (`id`) ON DELETE NO ACTION
);
-- create index "rotationassignment_company_id_user_id_starts_on" to table: "rotation_assignments"
CREATE INDEX `rotationassignment_company_id_user_id_starts_on` ON `rotation_assignments` (`company_id`, `user_id`, `starts_on`);
-- create "shift_swaps" table
CREATE TABLE `shift_swaps` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `date` text NOT NULL,
  `wanted_date` text NOT NULL,
  `state` text NOT NULL DEFAULT ('asked'),
  `pending` integer NULL DEFAULT (1),
  `note` text NULL,
  `decision_note` text NULL,
  `decided_by` integer NULL,
  `expires_at` datetime NOT NULL,
  `created_at` datetime NOT NULL,
  `decided_at` datetime NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `shift_id` integer NOT NULL,
  `colleague_id` integer NULL,
  `wanted_shift_id` integer NOT NULL,
  CONSTRAINT `shift_swaps_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_swaps_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_swaps_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_swaps_users_colleague` FOREIGN KEY (`colleague_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_swaps_shifts_wanted_shift` FOREIGN KEY (`wanted_shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION
);
-- create index "shiftswap_user_id_date_shift_id_pending" to table: "shift_swaps"
CREATE UNIQUE INDEX `shiftswap_user_id_date_shift_id_pending` ON `shift_swaps` (`user_id`, `date`, `shift_id`, `pending`);
-- create index "shiftswap_company_id_state_expires_at" to table: "shift_swaps"
CREATE INDEX `shiftswap_company_id_state_expires_at` ON `shift_swaps` (`company_id`, `state`, `expires_at`);
-- create "shift_versions" table
CREATE TABLE `shift_versions` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `start_time` text NOT NULL,
  `end_time` text NOT NULL,
  `timezone` text NULL,
  `opens_before_minutes` integer NOT NULL DEFAULT (60),
  `closes_after_minutes` integer NOT NULL DEFAULT (60),
  `late_grace_minutes` integer NULL,
  `early_grace_minutes` integer NULL,
  `half_day_below_minutes` integer NOT NULL DEFAULT (0),
  `absent_below_minutes` integer NOT NULL DEFAULT (0),
  `breaks` text NULL,
  `break_minutes` integer NOT NULL DEFAULT (0),
  `break_after_minutes` integer NOT NULL DEFAULT (0),
  `working_hours` text NOT NULL DEFAULT ('first_last'),
  `version` integer NOT NULL,
  `applies_from` text NOT NULL,
  `company_id` integer NOT NULL,
  `shift_id` integer NOT NULL,
  CONSTRAINT `shift_versions_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_versions_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION
);
-- create index "shiftversion_shift_id_applies_from" to table: "shift_versions"
CREATE UNIQUE INDEX `shiftversion_shift_id_applies_from` ON `shift_versions` (`shift_id`, `applies_from`);

-- +goose Down
-- This cannot be undone: restore a backup.
SELECT * FROM cannot_be_undone;
