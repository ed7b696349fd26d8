-- +goose Up
-- modify "clock_states" table
ALTER TABLE `clock_states` ADD COLUMN `timers` bigint NOT NULL DEFAULT 0;
-- modify "tasks" table
ALTER TABLE `tasks` ADD COLUMN `timers` bigint NOT NULL DEFAULT 0, ADD COLUMN `timers_started` bigint NOT NULL DEFAULT 0;
-- modify "projects" table
ALTER TABLE `projects` ADD COLUMN `timers` bigint NOT NULL DEFAULT 0, ADD COLUMN `timers_started` bigint NOT NULL DEFAULT 0;
-- create "time_entries" table
CREATE TABLE `time_entries` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `kind` enum('timer','booked','correction') NOT NULL,
  `started_at` datetime(6) NULL,
  `ended_at` datetime(6) NULL,
  `seconds` bigint NOT NULL DEFAULT 0,
  `date` char(10) NOT NULL,
  `last_date` char(10) NOT NULL,
  `timezone` varchar(64) NOT NULL,
  `slot` bigint NULL,
  `note` mediumtext NULL,
  `tags` text NULL,
  `latitude` double NULL,
  `longitude` double NULL,
  `long_at` datetime(6) NULL,
  `created_at` datetime(6) NOT NULL,
  `updated_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `task_id` bigint NULL,
  `project_id` bigint NULL,
  `category_id` bigint NULL,
  `address_id` bigint NULL,
  `corrects_id` bigint NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `timeentry_user_id_slot` (`user_id`, `slot`),
  INDEX `timeentry_slot_started_at` (`slot`, `started_at`),
  INDEX `timeentry_company_id_user_id_date` (`company_id`, `user_id`, `date`),
  INDEX `timeentry_company_id_user_id_last_date` (`company_id`, `user_id`, `last_date`),
  INDEX `timeentry_company_id_date` (`company_id`, `date`),
  INDEX `timeentry_company_id_last_date` (`company_id`, `last_date`),
  INDEX `timeentry_task_id_date` (`task_id`, `date`),
  INDEX `timeentry_project_id_date` (`project_id`, `date`),
  INDEX `timeentry_category_id` (`category_id`),
  INDEX `timeentry_address_id` (`address_id`),
  INDEX `timeentry_corrects_id` (`corrects_id`),
  CONSTRAINT `time_entries_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_projects_project` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_task_categories_category` FOREIGN KEY (`category_id`) REFERENCES `task_categories` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_addresses_address` FOREIGN KEY (`address_id`) REFERENCES `addresses` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_time_entries_corrections` FOREIGN KEY (`corrects_id`) REFERENCES `time_entries` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "time_weeks" table
CREATE TABLE `time_weeks` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `starts_on` char(10) NOT NULL,
  `ends_on` char(10) NOT NULL,
  `state` enum('submitted','approved','rejected') NOT NULL DEFAULT 'submitted',
  `seconds` bigint NOT NULL,
  `note` varchar(1000) NULL,
  `decision_note` varchar(1000) NULL,
  `decided_by` bigint NULL,
  `submitted_at` datetime(6) NOT NULL,
  `decided_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `timeweek_user_id_starts_on` (`user_id`, `starts_on`),
  INDEX `timeweek_company_id_state_starts_on` (`company_id`, `state`, `starts_on`),
  CONSTRAINT `time_weeks_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_weeks_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "time_weeks" table
DROP TABLE `time_weeks`;
-- reverse: create "time_entries" table
DROP TABLE `time_entries`;
-- reverse: modify "projects" table
ALTER TABLE `projects` DROP COLUMN `timers_started`, DROP COLUMN `timers`;
-- reverse: modify "tasks" table
ALTER TABLE `tasks` DROP COLUMN `timers_started`, DROP COLUMN `timers`;
-- reverse: modify "clock_states" table
ALTER TABLE `clock_states` DROP COLUMN `timers`;
