-- +goose Up
-- create "report_schedules" table
CREATE TABLE `report_schedules` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `created_by` bigint NOT NULL,
  `kind` enum('task','attendance','timesheet','overtime','leave','ticket') NOT NULL,
  `format` enum('xlsx','pdf','csv') NOT NULL,
  `subject_id` bigint NULL,
  `project_id` bigint NULL,
  `every` enum('week','month') NOT NULL,
  `active` bool NOT NULL DEFAULT true,
  `due_at` datetime(6) NOT NULL,
  `made_at` datetime(6) NULL,
  `created_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `reportschedule_company_id_user_id_created_at` (`company_id`, `user_id`, `created_at`),
  INDEX `reportschedule_active_due_at` (`active`, `due_at`),
  CONSTRAINT `report_schedules_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `report_schedules_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "reports" table
CREATE TABLE `reports` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `kind` enum('task','attendance','timesheet','overtime','leave','ticket') NOT NULL,
  `format` enum('xlsx','pdf','csv') NOT NULL,
  `subject_id` bigint NULL,
  `project_id` bigint NULL,
  `from_date` char(10) NOT NULL,
  `to_date` char(10) NOT NULL,
  `language` varchar(10) NOT NULL,
  `timezone` varchar(64) NOT NULL,
  `byte_order_mark` bool NOT NULL DEFAULT false,
  `status` enum('queued','running','done','failed','cancelled') NOT NULL DEFAULT 'queued',
  `progress` bigint NOT NULL DEFAULT 0,
  `rows` bigint NULL,
  `size` bigint NULL,
  `failure` varchar(64) NULL,
  `key` binary(32) NULL,
  `reach` mediumtext NULL,
  `job_id` bigint NULL,
  `file_id` bigint NULL,
  `object` varchar(100) NULL,
  `schedule_id` bigint NULL,
  `created_at` datetime(6) NOT NULL,
  `finished_at` datetime(6) NULL,
  `expires_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `report_key` (`key`),
  INDEX `report_company_id_user_id_created_at` (`company_id`, `user_id`, `created_at`),
  INDEX `report_company_id_created_at` (`company_id`, `created_at`),
  INDEX `report_status_created_at` (`status`, `created_at`),
  INDEX `report_schedule_id` (`schedule_id`),
  INDEX `report_file_id` (`file_id`),
  INDEX `report_expires_at` (`expires_at`),
  CONSTRAINT `reports_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `reports_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "reports" table
DROP TABLE `reports`;
-- reverse: create "report_schedules" table
DROP TABLE `report_schedules`;
