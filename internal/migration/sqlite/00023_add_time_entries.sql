-- +goose Up
-- create "new_clock_states" table
CREATE TABLE `new_clock_states` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `events` integer NOT NULL DEFAULT (0),
  `timers` integer NOT NULL DEFAULT (0),
  `planned_until` text NULL,
  `timezone` text NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `clock_states_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `clock_states_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- copy rows from old table "clock_states" to new temporary table "new_clock_states"
INSERT INTO `new_clock_states` (`id`, `events`, `planned_until`, `timezone`, `company_id`, `user_id`) SELECT `id`, `events`, `planned_until`, `timezone`, `company_id`, `user_id` FROM `clock_states`;
-- drop "clock_states" table after copying rows
DROP TABLE `clock_states`;
-- rename temporary table "new_clock_states" to "clock_states"
ALTER TABLE `new_clock_states` RENAME TO `clock_states`;
-- create index "clockstate_user_id" to table: "clock_states"
CREATE UNIQUE INDEX `clockstate_user_id` ON `clock_states` (`user_id`);
-- create index "clockstate_planned_until" to table: "clock_states"
CREATE INDEX `clockstate_planned_until` ON `clock_states` (`planned_until`);
-- create "new_projects" table
CREATE TABLE `new_projects` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `code` text NULL,
  `code_key` text NULL,
  `color` text NULL,
  `status` text NOT NULL DEFAULT ('active'),
  `starts_on` text NULL,
  `ends_on` text NULL,
  `open_to_all` bool NOT NULL DEFAULT (true),
  `budget_hours` integer NULL,
  `tracked_seconds` integer NOT NULL DEFAULT (0),
  `timers` integer NOT NULL DEFAULT (0),
  `timers_started` integer NOT NULL DEFAULT (0),
  `entry_count` integer NOT NULL DEFAULT (0),
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  CONSTRAINT `projects_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- copy rows from old table "projects" to new temporary table "new_projects"
INSERT INTO `new_projects` (`id`, `name`, `sort_name`, `code`, `code_key`, `color`, `status`, `starts_on`, `ends_on`, `open_to_all`, `budget_hours`, `tracked_seconds`, `entry_count`, `created_at`, `company_id`) SELECT `id`, `name`, `sort_name`, `code`, `code_key`, `color`, `status`, `starts_on`, `ends_on`, `open_to_all`, `budget_hours`, `tracked_seconds`, `entry_count`, `created_at`, `company_id` FROM `projects`;
-- drop "projects" table after copying rows
DROP TABLE `projects`;
-- rename temporary table "new_projects" to "projects"
ALTER TABLE `new_projects` RENAME TO `projects`;
-- create index "project_company_id_status_sort_name" to table: "projects"
CREATE INDEX `project_company_id_status_sort_name` ON `projects` (`company_id`, `status`, `sort_name`);
-- create index "project_company_id_code_key" to table: "projects"
CREATE UNIQUE INDEX `project_company_id_code_key` ON `projects` (`company_id`, `code_key`);
-- create "new_tasks" table
CREATE TABLE `new_tasks` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `version` integer NOT NULL DEFAULT (1),
  `title` text NOT NULL,
  `description` text NULL,
  `status` text NOT NULL DEFAULT ('open'),
  `priority` text NOT NULL DEFAULT ('normal'),
  `start_at` datetime NULL,
  `due_at` datetime NULL,
  `completed_at` datetime NULL,
  `latitude` real NULL,
  `longitude` real NULL,
  `tracked_seconds` integer NOT NULL DEFAULT (0),
  `timers` integer NOT NULL DEFAULT (0),
  `timers_started` integer NOT NULL DEFAULT (0),
  `entry_count` integer NOT NULL DEFAULT (0),
  `recurrence` text NULL,
  `recurs_on` text NULL,
  `copied_on` text NULL,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `deleted_at` datetime NULL,
  `company_id` integer NOT NULL,
  `creator_id` integer NOT NULL,
  `project_id` integer NULL,
  `category_id` integer NULL,
  `copy_of_id` integer NULL,
  CONSTRAINT `tasks_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tasks_users_creator` FOREIGN KEY (`creator_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tasks_projects_project` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tasks_task_categories_category` FOREIGN KEY (`category_id`) REFERENCES `task_categories` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tasks_tasks_copies` FOREIGN KEY (`copy_of_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION
);
-- copy rows from old table "tasks" to new temporary table "new_tasks"
INSERT INTO `new_tasks` (`id`, `version`, `title`, `description`, `status`, `priority`, `start_at`, `due_at`, `completed_at`, `latitude`, `longitude`, `tracked_seconds`, `entry_count`, `recurrence`, `recurs_on`, `copied_on`, `created_at`, `updated_at`, `deleted_at`, `company_id`, `creator_id`, `project_id`, `category_id`, `copy_of_id`) SELECT `id`, `version`, `title`, `description`, `status`, `priority`, `start_at`, `due_at`, `completed_at`, `latitude`, `longitude`, `tracked_seconds`, `entry_count`, `recurrence`, `recurs_on`, `copied_on`, `created_at`, `updated_at`, `deleted_at`, `company_id`, `creator_id`, `project_id`, `category_id`, `copy_of_id` FROM `tasks`;
-- drop "tasks" table after copying rows
DROP TABLE `tasks`;
-- rename temporary table "new_tasks" to "tasks"
ALTER TABLE `new_tasks` RENAME TO `tasks`;
-- create index "task_company_id_created_at" to table: "tasks"
CREATE INDEX `task_company_id_created_at` ON `tasks` (`company_id`, `created_at`);
-- create index "task_company_id_status_created_at" to table: "tasks"
CREATE INDEX `task_company_id_status_created_at` ON `tasks` (`company_id`, `status`, `created_at`);
-- create index "task_company_id_due_at" to table: "tasks"
CREATE INDEX `task_company_id_due_at` ON `tasks` (`company_id`, `due_at`);
-- create index "task_company_id_project_id_created_at" to table: "tasks"
CREATE INDEX `task_company_id_project_id_created_at` ON `tasks` (`company_id`, `project_id`, `created_at`);
-- create index "task_company_id_category_id_created_at" to table: "tasks"
CREATE INDEX `task_company_id_category_id_created_at` ON `tasks` (`company_id`, `category_id`, `created_at`);
-- create index "task_creator_id_created_at" to table: "tasks"
CREATE INDEX `task_creator_id_created_at` ON `tasks` (`creator_id`, `created_at`);
-- create index "task_copy_of_id_copied_on" to table: "tasks"
CREATE UNIQUE INDEX `task_copy_of_id_copied_on` ON `tasks` (`copy_of_id`, `copied_on`);
-- create index "task_recurs_on" to table: "tasks"
CREATE INDEX `task_recurs_on` ON `tasks` (`recurs_on`);
-- create index "task_deleted_at" to table: "tasks"
CREATE INDEX `task_deleted_at` ON `tasks` (`deleted_at`);
-- create "time_entries" table
CREATE TABLE `time_entries` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `kind` text NOT NULL,
  `started_at` datetime NULL,
  `ended_at` datetime NULL,
  `seconds` integer NOT NULL DEFAULT (0),
  `date` text NOT NULL,
  `last_date` text NOT NULL,
  `timezone` text NOT NULL,
  `slot` integer NULL,
  `note` text NULL,
  `tags` text NULL,
  `latitude` real NULL,
  `longitude` real NULL,
  `long_at` datetime NULL,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `task_id` integer NULL,
  `project_id` integer NULL,
  `category_id` integer NULL,
  `address_id` integer NULL,
  `corrects_id` integer NULL,
  CONSTRAINT `time_entries_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_projects_project` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_task_categories_category` FOREIGN KEY (`category_id`) REFERENCES `task_categories` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_addresses_address` FOREIGN KEY (`address_id`) REFERENCES `addresses` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_entries_time_entries_corrections` FOREIGN KEY (`corrects_id`) REFERENCES `time_entries` (`id`) ON DELETE NO ACTION
);
-- create index "timeentry_user_id_slot" to table: "time_entries"
CREATE UNIQUE INDEX `timeentry_user_id_slot` ON `time_entries` (`user_id`, `slot`);
-- create index "timeentry_slot_started_at" to table: "time_entries"
CREATE INDEX `timeentry_slot_started_at` ON `time_entries` (`slot`, `started_at`);
-- create index "timeentry_company_id_user_id_date" to table: "time_entries"
CREATE INDEX `timeentry_company_id_user_id_date` ON `time_entries` (`company_id`, `user_id`, `date`);
-- create index "timeentry_company_id_user_id_last_date" to table: "time_entries"
CREATE INDEX `timeentry_company_id_user_id_last_date` ON `time_entries` (`company_id`, `user_id`, `last_date`);
-- create index "timeentry_company_id_date" to table: "time_entries"
CREATE INDEX `timeentry_company_id_date` ON `time_entries` (`company_id`, `date`);
-- create index "timeentry_company_id_last_date" to table: "time_entries"
CREATE INDEX `timeentry_company_id_last_date` ON `time_entries` (`company_id`, `last_date`);
-- create index "timeentry_task_id_date" to table: "time_entries"
CREATE INDEX `timeentry_task_id_date` ON `time_entries` (`task_id`, `date`);
-- create index "timeentry_project_id_date" to table: "time_entries"
CREATE INDEX `timeentry_project_id_date` ON `time_entries` (`project_id`, `date`);
-- create index "timeentry_category_id" to table: "time_entries"
CREATE INDEX `timeentry_category_id` ON `time_entries` (`category_id`);
-- create index "timeentry_address_id" to table: "time_entries"
CREATE INDEX `timeentry_address_id` ON `time_entries` (`address_id`);
-- create index "timeentry_corrects_id" to table: "time_entries"
CREATE INDEX `timeentry_corrects_id` ON `time_entries` (`corrects_id`);
-- create "time_weeks" table
CREATE TABLE `time_weeks` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `starts_on` text NOT NULL,
  `ends_on` text NOT NULL,
  `state` text NOT NULL DEFAULT ('submitted'),
  `seconds` integer NOT NULL,
  `note` text NULL,
  `decision_note` text NULL,
  `decided_by` integer NULL,
  `submitted_at` datetime NOT NULL,
  `decided_at` datetime NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `time_weeks_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `time_weeks_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "timeweek_user_id_starts_on" to table: "time_weeks"
CREATE UNIQUE INDEX `timeweek_user_id_starts_on` ON `time_weeks` (`user_id`, `starts_on`);
-- create index "timeweek_company_id_state_starts_on" to table: "time_weeks"
CREATE INDEX `timeweek_company_id_state_starts_on` ON `time_weeks` (`company_id`, `state`, `starts_on`);

-- +goose Down
-- This cannot be undone: restore a backup.
SELECT * FROM cannot_be_undone;
