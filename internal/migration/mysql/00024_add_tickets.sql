-- +goose Up
-- create "ticket_counters" table
CREATE TABLE `ticket_counters` (
  `id` bigint NOT NULL,
  `last` bigint NOT NULL,
  PRIMARY KEY (`id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "ticket_words" table
CREATE TABLE `ticket_words` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `company_id` bigint NOT NULL,
  `ticket_id` bigint NOT NULL,
  `word` varchar(160) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `ticketword_ticket_id_word` (`ticket_id`, `word`),
  INDEX `ticketword_company_id_word_ticket_id` (`company_id`, `word`, `ticket_id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "ticket_categories" table
CREATE TABLE `ticket_categories` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `company_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `ticketcategory_company_id_sort_name` (`company_id`, `sort_name`),
  CONSTRAINT `ticket_categories_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "tickets" table
CREATE TABLE `tickets` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `number` bigint NOT NULL,
  `subject` varchar(200) NOT NULL,
  `description` mediumtext NULL,
  `status` enum('open','in_progress','resolved','closed') NOT NULL DEFAULT 'open',
  `priority` enum('low','normal','high','urgent') NOT NULL DEFAULT 'normal',
  `respond_by` datetime(6) NULL,
  `resolve_by` datetime(6) NULL,
  `responded_at` datetime(6) NULL,
  `resolved_at` datetime(6) NULL,
  `closed_at` datetime(6) NULL,
  `held_at` datetime(6) NULL,
  `response_told` bigint NOT NULL DEFAULT 0,
  `resolution_told` bigint NOT NULL DEFAULT 0,
  `alert_at` datetime(6) NULL,
  `created_at` datetime(6) NOT NULL,
  `updated_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `requester_id` bigint NOT NULL,
  `assignee_id` bigint NULL,
  `category_id` bigint NULL,
  `duplicate_of_id` bigint NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `ticket_company_id_number` (`company_id`, `number`),
  INDEX `ticket_company_id_created_at` (`company_id`, `created_at`),
  INDEX `ticket_company_id_status_created_at` (`company_id`, `status`, `created_at`),
  INDEX `ticket_company_id_resolved_at` (`company_id`, `resolved_at`),
  INDEX `ticket_company_id_category_id_created_at` (`company_id`, `category_id`, `created_at`),
  INDEX `ticket_requester_id_created_at` (`requester_id`, `created_at`),
  INDEX `ticket_assignee_id_created_at` (`assignee_id`, `created_at`),
  INDEX `ticket_duplicate_of_id` (`duplicate_of_id`),
  INDEX `ticket_alert_at` (`alert_at`),
  CONSTRAINT `tickets_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tickets_users_requester` FOREIGN KEY (`requester_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tickets_users_assignee` FOREIGN KEY (`assignee_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tickets_ticket_categories_category` FOREIGN KEY (`category_id`) REFERENCES `ticket_categories` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tickets_tickets_duplicates` FOREIGN KEY (`duplicate_of_id`) REFERENCES `tickets` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "ticket_attachments" table
CREATE TABLE `ticket_attachments` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(200) NOT NULL,
  `url` varchar(2000) NOT NULL,
  `file_id` bigint NULL,
  `content_type` varchar(100) NOT NULL,
  `size` bigint NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `ticket_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `ticketattachment_ticket_id_file_id` (`ticket_id`, `file_id`),
  INDEX `ticketattachment_file_id` (`file_id`),
  INDEX `ticketattachment_user_id` (`user_id`),
  CONSTRAINT `ticket_attachments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_attachments_tickets_ticket` FOREIGN KEY (`ticket_id`) REFERENCES `tickets` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_attachments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "ticket_comments" table
CREATE TABLE `ticket_comments` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `text` mediumtext NOT NULL,
  `internal` bool NOT NULL DEFAULT false,
  `created_at` datetime(6) NOT NULL,
  `edited_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `ticket_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `ticketcomment_ticket_id` (`ticket_id`),
  INDEX `ticketcomment_user_id` (`user_id`),
  CONSTRAINT `ticket_comments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_comments_tickets_ticket` FOREIGN KEY (`ticket_id`) REFERENCES `tickets` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_comments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "ticket_followers" table
CREATE TABLE `ticket_followers` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `company_id` bigint NOT NULL,
  `ticket_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `ticketfollower_ticket_id_user_id` (`ticket_id`, `user_id`),
  INDEX `ticketfollower_user_id_ticket_id` (`user_id`, `ticket_id`),
  CONSTRAINT `ticket_followers_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_followers_tickets_ticket` FOREIGN KEY (`ticket_id`) REFERENCES `tickets` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_followers_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "ticket_holds" table
CREATE TABLE `ticket_holds` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `kind` enum('waiting','resolved') NOT NULL,
  `reason` varchar(250) NULL,
  `started_at` datetime(6) NOT NULL,
  `ended_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `ticket_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `tickethold_ticket_id` (`ticket_id`),
  INDEX `tickethold_user_id` (`user_id`),
  CONSTRAINT `ticket_holds_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_holds_tickets_ticket` FOREIGN KEY (`ticket_id`) REFERENCES `tickets` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `ticket_holds_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "ticket_holds" table
DROP TABLE `ticket_holds`;
-- reverse: create "ticket_followers" table
DROP TABLE `ticket_followers`;
-- reverse: create "ticket_comments" table
DROP TABLE `ticket_comments`;
-- reverse: create "ticket_attachments" table
DROP TABLE `ticket_attachments`;
-- reverse: create "tickets" table
DROP TABLE `tickets`;
-- reverse: create "ticket_categories" table
DROP TABLE `ticket_categories`;
-- reverse: create "ticket_words" table
DROP TABLE `ticket_words`;
-- reverse: create "ticket_counters" table
DROP TABLE `ticket_counters`;
