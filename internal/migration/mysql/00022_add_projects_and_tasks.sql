-- +goose Up
-- create "task_words" table
CREATE TABLE `task_words` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `company_id` bigint NOT NULL,
  `task_id` bigint NOT NULL,
  `word` varchar(160) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `taskword_task_id_word` (`task_id`, `word`),
  INDEX `taskword_company_id_word_task_id` (`company_id`, `word`, `task_id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "projects" table
CREATE TABLE `projects` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `code` varchar(32) NULL,
  `code_key` varchar(32) NULL,
  `color` char(7) NULL,
  `status` enum('active','archived') NOT NULL DEFAULT 'active',
  `starts_on` char(10) NULL,
  `ends_on` char(10) NULL,
  `open_to_all` bool NOT NULL DEFAULT true,
  `budget_hours` bigint NULL,
  `tracked_seconds` bigint NOT NULL DEFAULT 0,
  `entry_count` bigint NOT NULL DEFAULT 0,
  `created_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `project_company_id_status_sort_name` (`company_id`, `status`, `sort_name`),
  UNIQUE INDEX `project_company_id_code_key` (`company_id`, `code_key`),
  CONSTRAINT `projects_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "project_members" table
CREATE TABLE `project_members` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `company_id` bigint NOT NULL,
  `project_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `projectmember_project_id_user_id` (`project_id`, `user_id`),
  INDEX `projectmember_company_id_user_id_project_id` (`company_id`, `user_id`, `project_id`),
  CONSTRAINT `project_members_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `project_members_projects_project` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `project_members_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "task_categories" table
CREATE TABLE `task_categories` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `color` char(7) NULL,
  `below` bigint NOT NULL DEFAULT 0,
  `company_id` bigint NOT NULL,
  `parent_id` bigint NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `taskcategory_company_id_below_sort_name` (`company_id`, `below`, `sort_name`),
  INDEX `taskcategory_company_id_sort_name` (`company_id`, `sort_name`),
  INDEX `taskcategory_parent_id` (`parent_id`),
  CONSTRAINT `task_categories_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_categories_task_categories_children` FOREIGN KEY (`parent_id`) REFERENCES `task_categories` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "tasks" table
CREATE TABLE `tasks` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `version` bigint NOT NULL DEFAULT 1,
  `title` varchar(200) NOT NULL,
  `description` mediumtext NULL,
  `status` enum('open','in_progress','done','cancelled') NOT NULL DEFAULT 'open',
  `priority` enum('low','normal','high','urgent') NOT NULL DEFAULT 'normal',
  `start_at` datetime(6) NULL,
  `due_at` datetime(6) NULL,
  `completed_at` datetime(6) NULL,
  `latitude` double NULL,
  `longitude` double NULL,
  `tracked_seconds` bigint NOT NULL DEFAULT 0,
  `entry_count` bigint NOT NULL DEFAULT 0,
  `recurrence` varchar(500) NULL,
  `recurs_on` char(10) NULL,
  `copied_on` char(10) NULL,
  `created_at` datetime(6) NOT NULL,
  `updated_at` datetime(6) NOT NULL,
  `deleted_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `creator_id` bigint NOT NULL,
  `project_id` bigint NULL,
  `category_id` bigint NULL,
  `copy_of_id` bigint NULL,
  PRIMARY KEY (`id`),
  INDEX `task_company_id_created_at` (`company_id`, `created_at`),
  INDEX `task_company_id_status_created_at` (`company_id`, `status`, `created_at`),
  INDEX `task_company_id_due_at` (`company_id`, `due_at`),
  INDEX `task_company_id_project_id_created_at` (`company_id`, `project_id`, `created_at`),
  INDEX `task_company_id_category_id_created_at` (`company_id`, `category_id`, `created_at`),
  INDEX `task_creator_id_created_at` (`creator_id`, `created_at`),
  UNIQUE INDEX `task_copy_of_id_copied_on` (`copy_of_id`, `copied_on`),
  INDEX `task_recurs_on` (`recurs_on`),
  INDEX `task_deleted_at` (`deleted_at`),
  CONSTRAINT `tasks_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tasks_users_creator` FOREIGN KEY (`creator_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tasks_projects_project` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tasks_task_categories_category` FOREIGN KEY (`category_id`) REFERENCES `task_categories` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tasks_tasks_copies` FOREIGN KEY (`copy_of_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "task_assignees" table
CREATE TABLE `task_assignees` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `company_id` bigint NOT NULL,
  `task_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `taskassignee_task_id_user_id` (`task_id`, `user_id`),
  INDEX `taskassignee_user_id_task_id` (`user_id`, `task_id`),
  CONSTRAINT `task_assignees_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_assignees_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_assignees_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "task_attachments" table
CREATE TABLE `task_attachments` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(200) NOT NULL,
  `url` varchar(2000) NOT NULL,
  `file_id` bigint NULL,
  `content_type` varchar(100) NOT NULL,
  `size` bigint NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `task_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `taskattachment_task_id_file_id` (`task_id`, `file_id`),
  INDEX `taskattachment_file_id` (`file_id`),
  INDEX `taskattachment_user_id` (`user_id`),
  CONSTRAINT `task_attachments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_attachments_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_attachments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "task_checklist_items" table
CREATE TABLE `task_checklist_items` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` varchar(200) NOT NULL,
  `done` bool NOT NULL DEFAULT false,
  `position` bigint NOT NULL,
  `company_id` bigint NOT NULL,
  `task_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `taskchecklistitem_task_id_position` (`task_id`, `position`),
  CONSTRAINT `task_checklist_items_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_checklist_items_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "task_comments" table
CREATE TABLE `task_comments` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `text` mediumtext NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `edited_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `task_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `taskcomment_task_id` (`task_id`),
  INDEX `taskcomment_user_id` (`user_id`),
  CONSTRAINT `task_comments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_comments_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_comments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "task_images" table
CREATE TABLE `task_images` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `url` varchar(2000) NOT NULL,
  `thumbnail_url` varchar(2000) NOT NULL,
  `file_id` bigint NULL,
  `thumbnail_file_id` bigint NULL,
  `caption` varchar(250) NULL,
  `content_type` varchar(100) NOT NULL,
  `width` bigint NOT NULL,
  `height` bigint NOT NULL,
  `size` bigint NOT NULL,
  `digest` binary(32) NULL,
  `created_at` datetime(6) NOT NULL,
  `deleted_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `task_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `taskimage_task_id_digest` (`task_id`, `digest`),
  INDEX `taskimage_file_id` (`file_id`),
  INDEX `taskimage_thumbnail_file_id` (`thumbnail_file_id`),
  INDEX `taskimage_deleted_at` (`deleted_at`),
  CONSTRAINT `task_images_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_images_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_images_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "task_mentions" table
CREATE TABLE `task_mentions` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `company_id` bigint NOT NULL,
  `task_id` bigint NOT NULL,
  `comment_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `taskmention_comment_id_user_id` (`comment_id`, `user_id`),
  INDEX `taskmention_task_id` (`task_id`),
  INDEX `taskmention_user_id` (`user_id`),
  CONSTRAINT `task_mentions_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_mentions_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_mentions_task_comments_comment` FOREIGN KEY (`comment_id`) REFERENCES `task_comments` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_mentions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "task_mentions" table
DROP TABLE `task_mentions`;
-- reverse: create "task_images" table
DROP TABLE `task_images`;
-- reverse: create "task_comments" table
DROP TABLE `task_comments`;
-- reverse: create "task_checklist_items" table
DROP TABLE `task_checklist_items`;
-- reverse: create "task_attachments" table
DROP TABLE `task_attachments`;
-- reverse: create "task_assignees" table
DROP TABLE `task_assignees`;
-- reverse: create "tasks" table
DROP TABLE `tasks`;
-- reverse: create "task_categories" table
DROP TABLE `task_categories`;
-- reverse: create "project_members" table
DROP TABLE `project_members`;
-- reverse: create "projects" table
DROP TABLE `projects`;
-- reverse: create "task_words" table
DROP TABLE `task_words`;
