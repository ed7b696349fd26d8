-- +goose Up
-- create "corrections" table
CREATE TABLE `corrections` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `date` char(10) NOT NULL,
  `clock_in_at` datetime(6) NULL,
  `clock_out_at` datetime(6) NULL,
  `adds` bool NOT NULL DEFAULT false,
  `covers_from` datetime(6) NOT NULL,
  `covers_until` datetime(6) NOT NULL,
  `reason` varchar(1000) NOT NULL,
  `attachment` varchar(2000) NULL,
  `attachment_file_id` bigint NULL,
  `before` text NULL,
  `after` text NULL,
  `state` enum('pending','approved','refused','cancelled','expired') NOT NULL DEFAULT 'pending',
  `decision_note` varchar(1000) NULL,
  `decided_by` bigint NULL,
  `expires_at` datetime(6) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `decided_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `employee_shift_id` bigint NOT NULL,
  `attendance_id` bigint NULL,
  `address_id` bigint NULL,
  PRIMARY KEY (`id`),
  INDEX `correction_company_id_user_id_date` (`company_id`, `user_id`, `date`),
  INDEX `correction_company_id_state_created_at` (`company_id`, `state`, `created_at`),
  INDEX `correction_state_expires_at` (`state`, `expires_at`),
  INDEX `correction_attendance_id` (`attendance_id`),
  INDEX `correction_attachment_file_id` (`attachment_file_id`),
  CONSTRAINT `corrections_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `corrections_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `corrections_employee_shifts_employee_shift` FOREIGN KEY (`employee_shift_id`) REFERENCES `employee_shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `corrections_attendances_attendance` FOREIGN KEY (`attendance_id`) REFERENCES `attendances` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `corrections_addresses_address` FOREIGN KEY (`address_id`) REFERENCES `addresses` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "leave_types" table
CREATE TABLE `leave_types` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `paid` bool NOT NULL DEFAULT true,
  `unit` enum('day','half_day','hour') NOT NULL DEFAULT 'half_day',
  `yearly_allowance` double NULL,
  `work_from_home` bool NOT NULL DEFAULT false,
  `active` bool NOT NULL DEFAULT true,
  `company_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `leavetype_company_id_sort_name` (`company_id`, `sort_name`),
  CONSTRAINT `leave_types_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "leaves" table
CREATE TABLE `leaves` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `work_from_home` bool NOT NULL DEFAULT false,
  `starts_on` char(10) NOT NULL,
  `ends_on` char(10) NOT NULL,
  `half` bool NOT NULL DEFAULT false,
  `from_time` varchar(5) NULL,
  `to_time` varchar(5) NULL,
  `include_holidays` bool NOT NULL DEFAULT false,
  `dates` mediumtext NOT NULL,
  `skipped` mediumtext NULL,
  `reason` varchar(1000) NOT NULL,
  `state` enum('pending','approved','refused','cancelled','expired') NOT NULL DEFAULT 'pending',
  `decision_note` varchar(1000) NULL,
  `decided_by` bigint NULL,
  `expires_at` datetime(6) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `decided_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `leave_type_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `leave_company_id_user_id_ends_on` (`company_id`, `user_id`, `ends_on`),
  INDEX `leave_company_id_state_starts_on` (`company_id`, `state`, `starts_on`),
  INDEX `leave_state_expires_at` (`state`, `expires_at`),
  CONSTRAINT `leaves_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `leaves_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `leaves_leave_types_leave_type` FOREIGN KEY (`leave_type_id`) REFERENCES `leave_types` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "overtime_approvals" table
CREATE TABLE `overtime_approvals` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `date` char(10) NOT NULL,
  `approved` bool NOT NULL,
  `seconds` bigint NOT NULL,
  `note` varchar(1000) NULL,
  `decided_by` bigint NOT NULL,
  `decided_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `overtimeapproval_user_id_date` (`user_id`, `date`),
  INDEX `overtimeapproval_company_id_date` (`company_id`, `date`),
  CONSTRAINT `overtime_approvals_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `overtime_approvals_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "overtime_approvals" table
DROP TABLE `overtime_approvals`;
-- reverse: create "leaves" table
DROP TABLE `leaves`;
-- reverse: create "leave_types" table
DROP TABLE `leave_types`;
-- reverse: create "corrections" table
DROP TABLE `corrections`;
