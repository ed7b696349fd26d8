-- +goose Up
-- create "new_users" table
CREATE TABLE `new_users` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `email` text NOT NULL,
  `email_key` text NOT NULL,
  `image` text NOT NULL DEFAULT ('images/avatar.png'),
  `mobile_number` text NOT NULL,
  `phone` text NULL,
  `gender` text NULL,
  `salutation` text NULL,
  `locale` text NOT NULL DEFAULT ('id'),
  `password_hash` text NULL,
  `active` bool NOT NULL DEFAULT (true),
  `message_channel` text NULL,
  `stopped_whatsapp` text NULL,
  `stopped_sms` text NULL,
  `stopped_email` text NULL,
  `joined_on` text NULL,
  `left_on` text NULL,
  `employee_number` text NULL,
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `business_id` integer NULL,
  CONSTRAINT `users_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `users_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION
);
-- copy rows from old table "users" to new temporary table "new_users"
INSERT INTO `new_users` (`id`, `name`, `sort_name`, `email`, `email_key`, `image`, `mobile_number`, `phone`, `gender`, `salutation`, `locale`, `password_hash`, `active`, `message_channel`, `stopped_whatsapp`, `stopped_sms`, `stopped_email`, `joined_on`, `left_on`, `created_at`, `company_id`, `business_id`) SELECT `id`, `name`, `sort_name`, `email`, `email_key`, `image`, `mobile_number`, `phone`, `gender`, `salutation`, `locale`, `password_hash`, `active`, `message_channel`, `stopped_whatsapp`, `stopped_sms`, `stopped_email`, `joined_on`, `left_on`, `created_at`, `company_id`, `business_id` FROM `users`;
-- drop "users" table after copying rows
DROP TABLE `users`;
-- rename temporary table "new_users" to "users"
ALTER TABLE `new_users` RENAME TO `users`;
-- create index "users_email_key_key" to table: "users"
CREATE UNIQUE INDEX `users_email_key_key` ON `users` (`email_key`);
-- create index "users_phone_key" to table: "users"
CREATE UNIQUE INDEX `users_phone_key` ON `users` (`phone`);
-- create index "user_company_id_active_sort_name" to table: "users"
CREATE INDEX `user_company_id_active_sort_name` ON `users` (`company_id`, `active`, `sort_name`);
-- create index "user_company_id_business_id" to table: "users"
CREATE INDEX `user_company_id_business_id` ON `users` (`company_id`, `business_id`);
-- create index "user_company_id_employee_number" to table: "users"
CREATE UNIQUE INDEX `user_company_id_employee_number` ON `users` (`company_id`, `employee_number`);

-- +goose Down
-- This cannot be undone: restore a backup.
SELECT * FROM cannot_be_undone;
