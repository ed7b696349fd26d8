-- +goose Up
-- create "projects" table
CREATE TABLE `projects` (
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
  `entry_count` integer NOT NULL DEFAULT (0),
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  CONSTRAINT `projects_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- create index "project_company_id_status_sort_name" to table: "projects"
CREATE INDEX `project_company_id_status_sort_name` ON `projects` (`company_id`, `status`, `sort_name`);
-- create index "project_company_id_code_key" to table: "projects"
CREATE UNIQUE INDEX `project_company_id_code_key` ON `projects` (`company_id`, `code_key`);
-- create "project_members" table
CREATE TABLE `project_members` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `company_id` integer NOT NULL,
  `project_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `project_members_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `project_members_projects_project` FOREIGN KEY (`project_id`) REFERENCES `projects` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `project_members_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "projectmember_project_id_user_id" to table: "project_members"
CREATE UNIQUE INDEX `projectmember_project_id_user_id` ON `project_members` (`project_id`, `user_id`);
-- create index "projectmember_company_id_user_id_project_id" to table: "project_members"
CREATE INDEX `projectmember_company_id_user_id_project_id` ON `project_members` (`company_id`, `user_id`, `project_id`);
-- create "tasks" table
CREATE TABLE `tasks` (
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
-- create "task_assignees" table
CREATE TABLE `task_assignees` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `company_id` integer NOT NULL,
  `task_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `task_assignees_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_assignees_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_assignees_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "taskassignee_task_id_user_id" to table: "task_assignees"
CREATE UNIQUE INDEX `taskassignee_task_id_user_id` ON `task_assignees` (`task_id`, `user_id`);
-- create index "taskassignee_user_id_task_id" to table: "task_assignees"
CREATE INDEX `taskassignee_user_id_task_id` ON `task_assignees` (`user_id`, `task_id`);
-- create "task_attachments" table
CREATE TABLE `task_attachments` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `url` text NOT NULL,
  `file_id` integer NULL,
  `content_type` text NOT NULL,
  `size` integer NOT NULL,
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `task_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `task_attachments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_attachments_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_attachments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "taskattachment_task_id_file_id" to table: "task_attachments"
CREATE UNIQUE INDEX `taskattachment_task_id_file_id` ON `task_attachments` (`task_id`, `file_id`);
-- create index "taskattachment_file_id" to table: "task_attachments"
CREATE INDEX `taskattachment_file_id` ON `task_attachments` (`file_id`);
-- create index "taskattachment_user_id" to table: "task_attachments"
CREATE INDEX `taskattachment_user_id` ON `task_attachments` (`user_id`);
-- create "task_categories" table
CREATE TABLE `task_categories` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `color` text NULL,
  `below` integer NOT NULL DEFAULT (0),
  `company_id` integer NOT NULL,
  `parent_id` integer NULL,
  CONSTRAINT `task_categories_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_categories_task_categories_children` FOREIGN KEY (`parent_id`) REFERENCES `task_categories` (`id`) ON DELETE NO ACTION
);
-- create index "taskcategory_company_id_below_sort_name" to table: "task_categories"
CREATE UNIQUE INDEX `taskcategory_company_id_below_sort_name` ON `task_categories` (`company_id`, `below`, `sort_name`);
-- create index "taskcategory_company_id_sort_name" to table: "task_categories"
CREATE INDEX `taskcategory_company_id_sort_name` ON `task_categories` (`company_id`, `sort_name`);
-- create index "taskcategory_parent_id" to table: "task_categories"
CREATE INDEX `taskcategory_parent_id` ON `task_categories` (`parent_id`);
-- create "task_checklist_items" table
CREATE TABLE `task_checklist_items` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `title` text NOT NULL,
  `done` bool NOT NULL DEFAULT (false),
  `position` integer NOT NULL,
  `company_id` integer NOT NULL,
  `task_id` integer NOT NULL,
  CONSTRAINT `task_checklist_items_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_checklist_items_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION
);
-- create index "taskchecklistitem_task_id_position" to table: "task_checklist_items"
CREATE INDEX `taskchecklistitem_task_id_position` ON `task_checklist_items` (`task_id`, `position`);
-- create "task_comments" table
CREATE TABLE `task_comments` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `text` text NOT NULL,
  `created_at` datetime NOT NULL,
  `edited_at` datetime NULL,
  `company_id` integer NOT NULL,
  `task_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `task_comments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_comments_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_comments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "taskcomment_task_id" to table: "task_comments"
CREATE INDEX `taskcomment_task_id` ON `task_comments` (`task_id`);
-- create index "taskcomment_user_id" to table: "task_comments"
CREATE INDEX `taskcomment_user_id` ON `task_comments` (`user_id`);
-- create "task_images" table
CREATE TABLE `task_images` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `url` text NOT NULL,
  `thumbnail_url` text NOT NULL,
  `file_id` integer NULL,
  `thumbnail_file_id` integer NULL,
  `caption` text NULL,
  `content_type` text NOT NULL,
  `width` integer NOT NULL,
  `height` integer NOT NULL,
  `size` integer NOT NULL,
  `digest` blob NULL,
  `created_at` datetime NOT NULL,
  `deleted_at` datetime NULL,
  `company_id` integer NOT NULL,
  `task_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `task_images_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_images_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_images_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "taskimage_task_id_digest" to table: "task_images"
CREATE UNIQUE INDEX `taskimage_task_id_digest` ON `task_images` (`task_id`, `digest`);
-- create index "taskimage_file_id" to table: "task_images"
CREATE INDEX `taskimage_file_id` ON `task_images` (`file_id`);
-- create index "taskimage_thumbnail_file_id" to table: "task_images"
CREATE INDEX `taskimage_thumbnail_file_id` ON `task_images` (`thumbnail_file_id`);
-- create index "taskimage_deleted_at" to table: "task_images"
CREATE INDEX `taskimage_deleted_at` ON `task_images` (`deleted_at`);
-- create "task_mentions" table
CREATE TABLE `task_mentions` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `company_id` integer NOT NULL,
  `task_id` integer NOT NULL,
  `comment_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `task_mentions_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_mentions_tasks_task` FOREIGN KEY (`task_id`) REFERENCES `tasks` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_mentions_task_comments_comment` FOREIGN KEY (`comment_id`) REFERENCES `task_comments` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `task_mentions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "taskmention_comment_id_user_id" to table: "task_mentions"
CREATE UNIQUE INDEX `taskmention_comment_id_user_id` ON `task_mentions` (`comment_id`, `user_id`);
-- create index "taskmention_task_id" to table: "task_mentions"
CREATE INDEX `taskmention_task_id` ON `task_mentions` (`task_id`);
-- create index "taskmention_user_id" to table: "task_mentions"
CREATE INDEX `taskmention_user_id` ON `task_mentions` (`user_id`);
-- create "task_words" table
CREATE TABLE `task_words` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `company_id` integer NOT NULL,
  `task_id` integer NOT NULL,
  `word` text NOT NULL
);
-- create index "taskword_task_id_word" to table: "task_words"
CREATE UNIQUE INDEX `taskword_task_id_word` ON `task_words` (`task_id`, `word`);
-- create index "taskword_company_id_word_task_id" to table: "task_words"
CREATE INDEX `taskword_company_id_word_task_id` ON `task_words` (`company_id`, `word`, `task_id`);

-- +goose Down
-- reverse: create index "taskword_company_id_word_task_id" to table: "task_words"
DROP INDEX `taskword_company_id_word_task_id`;
-- reverse: create index "taskword_task_id_word" to table: "task_words"
DROP INDEX `taskword_task_id_word`;
-- reverse: create "task_words" table
DROP TABLE `task_words`;
-- reverse: create index "taskmention_user_id" to table: "task_mentions"
DROP INDEX `taskmention_user_id`;
-- reverse: create index "taskmention_task_id" to table: "task_mentions"
DROP INDEX `taskmention_task_id`;
-- reverse: create index "taskmention_comment_id_user_id" to table: "task_mentions"
DROP INDEX `taskmention_comment_id_user_id`;
-- reverse: create "task_mentions" table
DROP TABLE `task_mentions`;
-- reverse: create index "taskimage_deleted_at" to table: "task_images"
DROP INDEX `taskimage_deleted_at`;
-- reverse: create index "taskimage_thumbnail_file_id" to table: "task_images"
DROP INDEX `taskimage_thumbnail_file_id`;
-- reverse: create index "taskimage_file_id" to table: "task_images"
DROP INDEX `taskimage_file_id`;
-- reverse: create index "taskimage_task_id_digest" to table: "task_images"
DROP INDEX `taskimage_task_id_digest`;
-- reverse: create "task_images" table
DROP TABLE `task_images`;
-- reverse: create index "taskcomment_user_id" to table: "task_comments"
DROP INDEX `taskcomment_user_id`;
-- reverse: create index "taskcomment_task_id" to table: "task_comments"
DROP INDEX `taskcomment_task_id`;
-- reverse: create "task_comments" table
DROP TABLE `task_comments`;
-- reverse: create index "taskchecklistitem_task_id_position" to table: "task_checklist_items"
DROP INDEX `taskchecklistitem_task_id_position`;
-- reverse: create "task_checklist_items" table
DROP TABLE `task_checklist_items`;
-- reverse: create index "taskcategory_parent_id" to table: "task_categories"
DROP INDEX `taskcategory_parent_id`;
-- reverse: create index "taskcategory_company_id_sort_name" to table: "task_categories"
DROP INDEX `taskcategory_company_id_sort_name`;
-- reverse: create index "taskcategory_company_id_below_sort_name" to table: "task_categories"
DROP INDEX `taskcategory_company_id_below_sort_name`;
-- reverse: create "task_categories" table
DROP TABLE `task_categories`;
-- reverse: create index "taskattachment_user_id" to table: "task_attachments"
DROP INDEX `taskattachment_user_id`;
-- reverse: create index "taskattachment_file_id" to table: "task_attachments"
DROP INDEX `taskattachment_file_id`;
-- reverse: create index "taskattachment_task_id_file_id" to table: "task_attachments"
DROP INDEX `taskattachment_task_id_file_id`;
-- reverse: create "task_attachments" table
DROP TABLE `task_attachments`;
-- reverse: create index "taskassignee_user_id_task_id" to table: "task_assignees"
DROP INDEX `taskassignee_user_id_task_id`;
-- reverse: create index "taskassignee_task_id_user_id" to table: "task_assignees"
DROP INDEX `taskassignee_task_id_user_id`;
-- reverse: create "task_assignees" table
DROP TABLE `task_assignees`;
-- reverse: create index "task_deleted_at" to table: "tasks"
DROP INDEX `task_deleted_at`;
-- reverse: create index "task_recurs_on" to table: "tasks"
DROP INDEX `task_recurs_on`;
-- reverse: create index "task_copy_of_id_copied_on" to table: "tasks"
DROP INDEX `task_copy_of_id_copied_on`;
-- reverse: create index "task_creator_id_created_at" to table: "tasks"
DROP INDEX `task_creator_id_created_at`;
-- reverse: create index "task_company_id_category_id_created_at" to table: "tasks"
DROP INDEX `task_company_id_category_id_created_at`;
-- reverse: create index "task_company_id_project_id_created_at" to table: "tasks"
DROP INDEX `task_company_id_project_id_created_at`;
-- reverse: create index "task_company_id_due_at" to table: "tasks"
DROP INDEX `task_company_id_due_at`;
-- reverse: create index "task_company_id_status_created_at" to table: "tasks"
DROP INDEX `task_company_id_status_created_at`;
-- reverse: create index "task_company_id_created_at" to table: "tasks"
DROP INDEX `task_company_id_created_at`;
-- reverse: create "tasks" table
DROP TABLE `tasks`;
-- reverse: create index "projectmember_company_id_user_id_project_id" to table: "project_members"
DROP INDEX `projectmember_company_id_user_id_project_id`;
-- reverse: create index "projectmember_project_id_user_id" to table: "project_members"
DROP INDEX `projectmember_project_id_user_id`;
-- reverse: create "project_members" table
DROP TABLE `project_members`;
-- reverse: create index "project_company_id_code_key" to table: "projects"
DROP INDEX `project_company_id_code_key`;
-- reverse: create index "project_company_id_status_sort_name" to table: "projects"
DROP INDEX `project_company_id_status_sort_name`;
-- reverse: create "projects" table
DROP TABLE `projects`;
