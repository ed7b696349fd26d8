-- +goose Up
-- add column "name" to table: "device_trusts"
ALTER TABLE `device_trusts` ADD COLUMN `name` text NULL;
-- create "device_approvals" table
CREATE TABLE `device_approvals` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `platform` text NOT NULL,
  `model` text NULL,
  `status` text NOT NULL DEFAULT ('pending'),
  `open_marker` integer NULL DEFAULT (1),
  `requested_at` datetime NOT NULL,
  `expires_at` datetime NOT NULL,
  `decided_at` datetime NULL,
  `note` text NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `device_id` integer NOT NULL,
  `decided_by_id` integer NULL,
  CONSTRAINT `device_approvals_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `device_approvals_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `device_approvals_devices_device` FOREIGN KEY (`device_id`) REFERENCES `devices` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `device_approvals_users_decided_by` FOREIGN KEY (`decided_by_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "deviceapproval_user_id_device_id_open_marker" to table: "device_approvals"
CREATE UNIQUE INDEX `deviceapproval_user_id_device_id_open_marker` ON `device_approvals` (`user_id`, `device_id`, `open_marker`);

-- +goose Down
-- reverse: create index "deviceapproval_user_id_device_id_open_marker" to table: "device_approvals"
DROP INDEX `deviceapproval_user_id_device_id_open_marker`;
-- reverse: create "device_approvals" table
DROP TABLE `device_approvals`;
-- reverse: add column "name" to table: "device_trusts"
ALTER TABLE `device_trusts` DROP COLUMN `name`;
