-- +goose Up
-- create "tickets" table
CREATE TABLE `tickets` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `number` integer NOT NULL,
  `subject` text NOT NULL,
  `description` text NULL,
  `status` text NOT NULL DEFAULT ('open'),
  `priority` text NOT NULL DEFAULT ('normal'),
  `respond_by` datetime NULL,
  `resolve_by` datetime NULL,
  `responded_at` datetime NULL,
  `resolved_at` datetime NULL,
  `closed_at` datetime NULL,
  `held_at` datetime NULL,
  `response_told` integer NOT NULL DEFAULT (0),
  `resolution_told` integer NOT NULL DEFAULT (0),
  `alert_at` datetime NULL,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `requester_id` integer NOT NULL,
  `assignee_id` integer NULL,
  `category_id` integer NULL,
  `duplicate_of_id` integer NULL,
  CONSTRAINT `tickets_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tickets_users_requester` FOREIGN KEY (`requester_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tickets_users_assignee` FOREIGN KEY (`assignee_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tickets_ticket_categories_category` FOREIGN KEY (`category_id`) REFERENCES `ticket_categories` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tickets_tickets_duplicates` FOREIGN KEY (`duplicate_of_id`) REFERENCES `tickets` (`id`) ON DELETE NO ACTION
);
-- create index "ticket_company_id_number" to table: "tickets"
CREATE UNIQUE INDEX `ticket_company_id_number` ON `tickets` (`company_id`, `number`);
-- create index "ticket_company_id_created_at" to table: "tickets"
CREATE INDEX `ticket_company_id_created_at` ON `tickets` (`company_id`, `created_at`);
-- create index "ticket_company_id_status_created_at" to table: "tickets"
CREATE INDEX `ticket_company_id_status_created_at` ON `tickets` (`company_id`, `status`, `created_at`);
-- create index "ticket_company_id_resolved_at" to table: "tickets"
CREATE INDEX `ticket_company_id_resolved_at` ON `tickets` (`company_id`, `resolved_at`);
-- create index "ticket_company_id_category_id_created_at" to table: "tickets"
CREATE INDEX `ticket_company_id_category_id_created_at` ON `tickets` (`company_id`, `category_id`, `created_at`);
-- create index "ticket_requester_id_created_at" to table: "tickets"
CREATE INDEX `ticket_requester_id_created_at` ON `tickets` (`requester_id`, `created_at`);
-- create index "ticket_assignee_id_created_at" to table: "tickets"
CREATE INDEX `ticket_assignee_id_created_at` ON `tickets` (`assignee_id`, `created_at`);
-- create index "ticket_duplicate_of_id" to table: "tickets"
CREATE INDEX `ticket_duplicate_of_id` ON `tickets` (`duplicate_of_id`);
-- create index "ticket_alert_at" to table: "tickets"
CREATE INDEX `ticket_alert_at` ON `tickets` (`alert_at`);
-- create "ticket_attachments" table
CREATE TABLE `ticket_attachments` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `url` text NOT NULL,
  `file_id` integer NULL,
  `content_type` text NOT NULL,
  `size` integer NOT NULL,
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `ticket_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `ticket_attachments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_attachments_tickets_ticket` FOREIGN KEY (`ticket_id`) REFERENCES `tickets` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_attachments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "ticketattachment_ticket_id_file_id" to table: "ticket_attachments"
CREATE UNIQUE INDEX `ticketattachment_ticket_id_file_id` ON `ticket_attachments` (`ticket_id`, `file_id`);
-- create index "ticketattachment_file_id" to table: "ticket_attachments"
CREATE INDEX `ticketattachment_file_id` ON `ticket_attachments` (`file_id`);
-- create index "ticketattachment_user_id" to table: "ticket_attachments"
CREATE INDEX `ticketattachment_user_id` ON `ticket_attachments` (`user_id`);
-- create "ticket_categories" table
CREATE TABLE `ticket_categories` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `company_id` integer NOT NULL,
  CONSTRAINT `ticket_categories_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- create index "ticketcategory_company_id_sort_name" to table: "ticket_categories"
CREATE UNIQUE INDEX `ticketcategory_company_id_sort_name` ON `ticket_categories` (`company_id`, `sort_name`);
-- create "ticket_comments" table
CREATE TABLE `ticket_comments` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `text` text NOT NULL,
  `internal` bool NOT NULL DEFAULT (false),
  `created_at` datetime NOT NULL,
  `edited_at` datetime NULL,
  `company_id` integer NOT NULL,
  `ticket_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `ticket_comments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_comments_tickets_ticket` FOREIGN KEY (`ticket_id`) REFERENCES `tickets` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_comments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "ticketcomment_ticket_id" to table: "ticket_comments"
CREATE INDEX `ticketcomment_ticket_id` ON `ticket_comments` (`ticket_id`);
-- create index "ticketcomment_user_id" to table: "ticket_comments"
CREATE INDEX `ticketcomment_user_id` ON `ticket_comments` (`user_id`);
-- create "ticket_counters" table
CREATE TABLE `ticket_counters` (
  `id` integer NOT NULL,
  `last` integer NOT NULL,
  PRIMARY KEY (`id`)
);
-- create "ticket_followers" table
CREATE TABLE `ticket_followers` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `company_id` integer NOT NULL,
  `ticket_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `ticket_followers_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_followers_tickets_ticket` FOREIGN KEY (`ticket_id`) REFERENCES `tickets` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_followers_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "ticketfollower_ticket_id_user_id" to table: "ticket_followers"
CREATE UNIQUE INDEX `ticketfollower_ticket_id_user_id` ON `ticket_followers` (`ticket_id`, `user_id`);
-- create index "ticketfollower_user_id_ticket_id" to table: "ticket_followers"
CREATE INDEX `ticketfollower_user_id_ticket_id` ON `ticket_followers` (`user_id`, `ticket_id`);
-- create "ticket_holds" table
CREATE TABLE `ticket_holds` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `kind` text NOT NULL,
  `reason` text NULL,
  `started_at` datetime NOT NULL,
  `ended_at` datetime NULL,
  `company_id` integer NOT NULL,
  `ticket_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `ticket_holds_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_holds_tickets_ticket` FOREIGN KEY (`ticket_id`) REFERENCES `tickets` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_holds_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "tickethold_ticket_id" to table: "ticket_holds"
CREATE INDEX `tickethold_ticket_id` ON `ticket_holds` (`ticket_id`);
-- create index "tickethold_user_id" to table: "ticket_holds"
CREATE INDEX `tickethold_user_id` ON `ticket_holds` (`user_id`);
-- create "ticket_words" table
CREATE TABLE `ticket_words` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `company_id` integer NOT NULL,
  `ticket_id` integer NOT NULL,
  `word` text NOT NULL
);
-- create index "ticketword_ticket_id_word" to table: "ticket_words"
CREATE UNIQUE INDEX `ticketword_ticket_id_word` ON `ticket_words` (`ticket_id`, `word`);
-- create index "ticketword_company_id_word_ticket_id" to table: "ticket_words"
CREATE INDEX `ticketword_company_id_word_ticket_id` ON `ticket_words` (`company_id`, `word`, `ticket_id`);

-- +goose Down
-- reverse: create index "ticketword_company_id_word_ticket_id" to table: "ticket_words"
DROP INDEX `ticketword_company_id_word_ticket_id`;
-- reverse: create index "ticketword_ticket_id_word" to table: "ticket_words"
DROP INDEX `ticketword_ticket_id_word`;
-- reverse: create "ticket_words" table
DROP TABLE `ticket_words`;
-- reverse: create index "tickethold_user_id" to table: "ticket_holds"
DROP INDEX `tickethold_user_id`;
-- reverse: create index "tickethold_ticket_id" to table: "ticket_holds"
DROP INDEX `tickethold_ticket_id`;
-- reverse: create "ticket_holds" table
DROP TABLE `ticket_holds`;
-- reverse: create index "ticketfollower_user_id_ticket_id" to table: "ticket_followers"
DROP INDEX `ticketfollower_user_id_ticket_id`;
-- reverse: create index "ticketfollower_ticket_id_user_id" to table: "ticket_followers"
DROP INDEX `ticketfollower_ticket_id_user_id`;
-- reverse: create "ticket_followers" table
DROP TABLE `ticket_followers`;
-- reverse: create "ticket_counters" table
DROP TABLE `ticket_counters`;
-- reverse: create index "ticketcomment_user_id" to table: "ticket_comments"
DROP INDEX `ticketcomment_user_id`;
-- reverse: create index "ticketcomment_ticket_id" to table: "ticket_comments"
DROP INDEX `ticketcomment_ticket_id`;
-- reverse: create "ticket_comments" table
DROP TABLE `ticket_comments`;
-- reverse: create index "ticketcategory_company_id_sort_name" to table: "ticket_categories"
DROP INDEX `ticketcategory_company_id_sort_name`;
-- reverse: create "ticket_categories" table
DROP TABLE `ticket_categories`;
-- reverse: create index "ticketattachment_user_id" to table: "ticket_attachments"
DROP INDEX `ticketattachment_user_id`;
-- reverse: create index "ticketattachment_file_id" to table: "ticket_attachments"
DROP INDEX `ticketattachment_file_id`;
-- reverse: create index "ticketattachment_ticket_id_file_id" to table: "ticket_attachments"
DROP INDEX `ticketattachment_ticket_id_file_id`;
-- reverse: create "ticket_attachments" table
DROP TABLE `ticket_attachments`;
-- reverse: create index "ticket_alert_at" to table: "tickets"
DROP INDEX `ticket_alert_at`;
-- reverse: create index "ticket_duplicate_of_id" to table: "tickets"
DROP INDEX `ticket_duplicate_of_id`;
-- reverse: create index "ticket_assignee_id_created_at" to table: "tickets"
DROP INDEX `ticket_assignee_id_created_at`;
-- reverse: create index "ticket_requester_id_created_at" to table: "tickets"
DROP INDEX `ticket_requester_id_created_at`;
-- reverse: create index "ticket_company_id_category_id_created_at" to table: "tickets"
DROP INDEX `ticket_company_id_category_id_created_at`;
-- reverse: create index "ticket_company_id_resolved_at" to table: "tickets"
DROP INDEX `ticket_company_id_resolved_at`;
-- reverse: create index "ticket_company_id_status_created_at" to table: "tickets"
DROP INDEX `ticket_company_id_status_created_at`;
-- reverse: create index "ticket_company_id_created_at" to table: "tickets"
DROP INDEX `ticket_company_id_created_at`;
-- reverse: create index "ticket_company_id_number" to table: "tickets"
DROP INDEX `ticket_company_id_number`;
-- reverse: create "tickets" table
DROP TABLE `tickets`;
