-- +goose Up
-- create "reports" table
CREATE TABLE `reports` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `kind` text NOT NULL,
  `format` text NOT NULL,
  `subject_id` integer NULL,
  `project_id` integer NULL,
  `from_date` text NOT NULL,
  `to_date` text NOT NULL,
  `language` text NOT NULL,
  `timezone` text NOT NULL,
  `byte_order_mark` bool NOT NULL DEFAULT (false),
  `status` text NOT NULL DEFAULT ('queued'),
  `progress` integer NOT NULL DEFAULT (0),
  `rows` integer NULL,
  `size` integer NULL,
  `failure` text NULL,
  `key` blob NULL,
  `reach` text NULL,
  `job_id` integer NULL,
  `file_id` integer NULL,
  `object` text NULL,
  `schedule_id` integer NULL,
  `created_at` datetime NOT NULL,
  `finished_at` datetime NULL,
  `expires_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `reports_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `reports_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "report_key" to table: "reports"
CREATE UNIQUE INDEX `report_key` ON `reports` (`key`);
-- create index "report_company_id_user_id_created_at" to table: "reports"
CREATE INDEX `report_company_id_user_id_created_at` ON `reports` (`company_id`, `user_id`, `created_at`);
-- create index "report_company_id_created_at" to table: "reports"
CREATE INDEX `report_company_id_created_at` ON `reports` (`company_id`, `created_at`);
-- create index "report_status_created_at" to table: "reports"
CREATE INDEX `report_status_created_at` ON `reports` (`status`, `created_at`);
-- create index "report_schedule_id" to table: "reports"
CREATE INDEX `report_schedule_id` ON `reports` (`schedule_id`);
-- create index "report_file_id" to table: "reports"
CREATE INDEX `report_file_id` ON `reports` (`file_id`);
-- create index "report_expires_at" to table: "reports"
CREATE INDEX `report_expires_at` ON `reports` (`expires_at`);
-- create "report_schedules" table
CREATE TABLE `report_schedules` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_by` integer NOT NULL,
  `kind` text NOT NULL,
  `format` text NOT NULL,
  `subject_id` integer NULL,
  `project_id` integer NULL,
  `every` text NOT NULL,
  `active` bool NOT NULL DEFAULT (true),
  `due_at` datetime NOT NULL,
  `made_at` datetime NULL,
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `report_schedules_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `report_schedules_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "reportschedule_company_id_user_id_created_at" to table: "report_schedules"
CREATE INDEX `reportschedule_company_id_user_id_created_at` ON `report_schedules` (`company_id`, `user_id`, `created_at`);
-- create index "reportschedule_active_due_at" to table: "report_schedules"
CREATE INDEX `reportschedule_active_due_at` ON `report_schedules` (`active`, `due_at`);

-- +goose Down
-- reverse: create index "reportschedule_active_due_at" to table: "report_schedules"
DROP INDEX `reportschedule_active_due_at`;
-- reverse: create index "reportschedule_company_id_user_id_created_at" to table: "report_schedules"
DROP INDEX `reportschedule_company_id_user_id_created_at`;
-- reverse: create "report_schedules" table
DROP TABLE `report_schedules`;
-- reverse: create index "report_expires_at" to table: "reports"
DROP INDEX `report_expires_at`;
-- reverse: create index "report_file_id" to table: "reports"
DROP INDEX `report_file_id`;
-- reverse: create index "report_schedule_id" to table: "reports"
DROP INDEX `report_schedule_id`;
-- reverse: create index "report_status_created_at" to table: "reports"
DROP INDEX `report_status_created_at`;
-- reverse: create index "report_company_id_created_at" to table: "reports"
DROP INDEX `report_company_id_created_at`;
-- reverse: create index "report_company_id_user_id_created_at" to table: "reports"
DROP INDEX `report_company_id_user_id_created_at`;
-- reverse: create index "report_key" to table: "reports"
DROP INDEX `report_key`;
-- reverse: create "reports" table
DROP TABLE `reports`;
