-- +goose Up
-- create "corrections" table
CREATE TABLE `corrections` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `date` text NOT NULL,
  `clock_in_at` datetime NULL,
  `clock_out_at` datetime NULL,
  `adds` bool NOT NULL DEFAULT (false),
  `covers_from` datetime NOT NULL,
  `covers_until` datetime NOT NULL,
  `reason` text NOT NULL,
  `attachment` text NULL,
  `attachment_file_id` integer NULL,
  `before` text NULL,
  `after` text NULL,
  `state` text NOT NULL DEFAULT ('pending'),
  `decision_note` text NULL,
  `decided_by` integer NULL,
  `expires_at` datetime NOT NULL,
  `created_at` datetime NOT NULL,
  `decided_at` datetime NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `employee_shift_id` integer NOT NULL,
  `attendance_id` integer NULL,
  `address_id` integer NULL,
  CONSTRAINT `corrections_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `corrections_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `corrections_employee_shifts_employee_shift` FOREIGN KEY (`employee_shift_id`) REFERENCES `employee_shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `corrections_attendances_attendance` FOREIGN KEY (`attendance_id`) REFERENCES `attendances` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `corrections_addresses_address` FOREIGN KEY (`address_id`) REFERENCES `addresses` (`id`) ON DELETE NO ACTION
);
-- create index "correction_company_id_user_id_date" to table: "corrections"
CREATE INDEX `correction_company_id_user_id_date` ON `corrections` (`company_id`, `user_id`, `date`);
-- create index "correction_company_id_state_created_at" to table: "corrections"
CREATE INDEX `correction_company_id_state_created_at` ON `corrections` (`company_id`, `state`, `created_at`);
-- create index "correction_state_expires_at" to table: "corrections"
CREATE INDEX `correction_state_expires_at` ON `corrections` (`state`, `expires_at`);
-- create index "correction_attendance_id" to table: "corrections"
CREATE INDEX `correction_attendance_id` ON `corrections` (`attendance_id`);
-- create index "correction_attachment_file_id" to table: "corrections"
CREATE INDEX `correction_attachment_file_id` ON `corrections` (`attachment_file_id`);
-- create "leaves" table
CREATE TABLE `leaves` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `work_from_home` bool NOT NULL DEFAULT (false),
  `starts_on` text NOT NULL,
  `ends_on` text NOT NULL,
  `half` bool NOT NULL DEFAULT (false),
  `from_time` text NULL,
  `to_time` text NULL,
  `include_holidays` bool NOT NULL DEFAULT (false),
  `dates` json NOT NULL,
  `skipped` json NULL,
  `reason` text NOT NULL,
  `state` text NOT NULL DEFAULT ('pending'),
  `decision_note` text NULL,
  `decided_by` integer NULL,
  `expires_at` datetime NOT NULL,
  `created_at` datetime NOT NULL,
  `decided_at` datetime NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `leave_type_id` integer NOT NULL,
  CONSTRAINT `leaves_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `leaves_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `leaves_leave_types_leave_type` FOREIGN KEY (`leave_type_id`) REFERENCES `leave_types` (`id`) ON DELETE NO ACTION
);
-- create index "leave_company_id_user_id_ends_on" to table: "leaves"
CREATE INDEX `leave_company_id_user_id_ends_on` ON `leaves` (`company_id`, `user_id`, `ends_on`);
-- create index "leave_company_id_state_starts_on" to table: "leaves"
CREATE INDEX `leave_company_id_state_starts_on` ON `leaves` (`company_id`, `state`, `starts_on`);
-- create index "leave_state_expires_at" to table: "leaves"
CREATE INDEX `leave_state_expires_at` ON `leaves` (`state`, `expires_at`);
-- create "leave_types" table
CREATE TABLE `leave_types` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `paid` bool NOT NULL DEFAULT (true),
  `unit` text NOT NULL DEFAULT ('half_day'),
  `yearly_allowance` real NULL,
  `work_from_home` bool NOT NULL DEFAULT (false),
  `active` bool NOT NULL DEFAULT (true),
  `company_id` integer NOT NULL,
  CONSTRAINT `leave_types_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- create index "leavetype_company_id_sort_name" to table: "leave_types"
CREATE UNIQUE INDEX `leavetype_company_id_sort_name` ON `leave_types` (`company_id`, `sort_name`);
-- create "overtime_approvals" table
CREATE TABLE `overtime_approvals` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `date` text NOT NULL,
  `approved` bool NOT NULL,
  `seconds` integer NOT NULL,
  `note` text NULL,
  `decided_by` integer NOT NULL,
  `decided_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `overtime_approvals_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `overtime_approvals_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "overtimeapproval_user_id_date" to table: "overtime_approvals"
CREATE UNIQUE INDEX `overtimeapproval_user_id_date` ON `overtime_approvals` (`user_id`, `date`);
-- create index "overtimeapproval_company_id_date" to table: "overtime_approvals"
CREATE INDEX `overtimeapproval_company_id_date` ON `overtime_approvals` (`company_id`, `date`);

-- +goose Down
-- reverse: create index "overtimeapproval_company_id_date" to table: "overtime_approvals"
DROP INDEX `overtimeapproval_company_id_date`;
-- reverse: create index "overtimeapproval_user_id_date" to table: "overtime_approvals"
DROP INDEX `overtimeapproval_user_id_date`;
-- reverse: create "overtime_approvals" table
DROP TABLE `overtime_approvals`;
-- reverse: create index "leavetype_company_id_sort_name" to table: "leave_types"
DROP INDEX `leavetype_company_id_sort_name`;
-- reverse: create "leave_types" table
DROP TABLE `leave_types`;
-- reverse: create index "leave_state_expires_at" to table: "leaves"
DROP INDEX `leave_state_expires_at`;
-- reverse: create index "leave_company_id_state_starts_on" to table: "leaves"
DROP INDEX `leave_company_id_state_starts_on`;
-- reverse: create index "leave_company_id_user_id_ends_on" to table: "leaves"
DROP INDEX `leave_company_id_user_id_ends_on`;
-- reverse: create "leaves" table
DROP TABLE `leaves`;
-- reverse: create index "correction_attachment_file_id" to table: "corrections"
DROP INDEX `correction_attachment_file_id`;
-- reverse: create index "correction_attendance_id" to table: "corrections"
DROP INDEX `correction_attendance_id`;
-- reverse: create index "correction_state_expires_at" to table: "corrections"
DROP INDEX `correction_state_expires_at`;
-- reverse: create index "correction_company_id_state_created_at" to table: "corrections"
DROP INDEX `correction_company_id_state_created_at`;
-- reverse: create index "correction_company_id_user_id_date" to table: "corrections"
DROP INDEX `correction_company_id_user_id_date`;
-- reverse: create "corrections" table
DROP TABLE `corrections`;
