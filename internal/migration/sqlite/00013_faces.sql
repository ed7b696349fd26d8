-- +goose Up
-- add column "face_distance" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `face_distance` real NULL;
-- add column "face_version" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `face_version` integer NULL;
-- add column "face_policy" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `face_policy` text NULL;
-- add column "clocked_out_face_verdict" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_out_face_verdict` text NOT NULL DEFAULT 'none';
-- add column "clocked_out_face_distance" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_out_face_distance` real NULL;
-- add column "clocked_out_face_version" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_out_face_version` integer NULL;
-- add column "clocked_out_face_policy" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_out_face_policy` text NULL;
-- add column "clocked_out_face_digest" to table: "attendances"
ALTER TABLE `attendances` ADD COLUMN `clocked_out_face_digest` blob NULL;
-- create index "attendance_company_id_face_digest" to table: "attendances"
CREATE INDEX `attendance_company_id_face_digest` ON `attendances` (`company_id`, `face_digest`);
-- create index "attendance_company_id_clocked_out_face_digest" to table: "attendances"
CREATE INDEX `attendance_company_id_clocked_out_face_digest` ON `attendances` (`company_id`, `clocked_out_face_digest`);
-- add column "replaced_at" to table: "face_templates"
ALTER TABLE `face_templates` ADD COLUMN `replaced_at` datetime NULL;
-- create index "facetemplate_replaced_at" to table: "face_templates"
CREATE INDEX `facetemplate_replaced_at` ON `face_templates` (`replaced_at`);
-- create "face_galleries" table
CREATE TABLE `face_galleries` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `version` integer NOT NULL,
  `sealed` text NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `face_galleries_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `face_galleries_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "facegallery_user_id" to table: "face_galleries"
CREATE UNIQUE INDEX `facegallery_user_id` ON `face_galleries` (`user_id`);
-- create "face_resets" table
CREATE TABLE `face_resets` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `reason` text NOT NULL,
  `status` text NOT NULL DEFAULT ('pending'),
  `pending` integer NULL DEFAULT (1),
  `requested_at` datetime NOT NULL,
  `decided_at` datetime NULL,
  `decided_by` integer NULL,
  `note` text NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `face_resets_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `face_resets_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "facereset_user_id_pending" to table: "face_resets"
CREATE UNIQUE INDEX `facereset_user_id_pending` ON `face_resets` (`user_id`, `pending`);
-- create index "facereset_company_id_requested_at" to table: "face_resets"
CREATE INDEX `facereset_company_id_requested_at` ON `face_resets` (`company_id`, `requested_at`);

-- +goose Down
-- reverse: create "face_resets" table
DROP TABLE `face_resets`;
-- reverse: create "face_galleries" table
DROP TABLE `face_galleries`;
-- reverse: create index "facetemplate_replaced_at" to table: "face_templates"
DROP INDEX `facetemplate_replaced_at`;
-- reverse: add column "replaced_at" to table: "face_templates"
ALTER TABLE `face_templates` DROP COLUMN `replaced_at`;
-- reverse: create index "attendance_company_id_clocked_out_face_digest" to table: "attendances"
DROP INDEX `attendance_company_id_clocked_out_face_digest`;
-- reverse: create index "attendance_company_id_face_digest" to table: "attendances"
DROP INDEX `attendance_company_id_face_digest`;
-- reverse: add column "clocked_out_face_digest" to table: "attendances"
ALTER TABLE `attendances` DROP COLUMN `clocked_out_face_digest`;
-- reverse: add column "clocked_out_face_policy" to table: "attendances"
ALTER TABLE `attendances` DROP COLUMN `clocked_out_face_policy`;
-- reverse: add column "clocked_out_face_version" to table: "attendances"
ALTER TABLE `attendances` DROP COLUMN `clocked_out_face_version`;
-- reverse: add column "clocked_out_face_distance" to table: "attendances"
ALTER TABLE `attendances` DROP COLUMN `clocked_out_face_distance`;
-- reverse: add column "clocked_out_face_verdict" to table: "attendances"
ALTER TABLE `attendances` DROP COLUMN `clocked_out_face_verdict`;
-- reverse: add column "face_policy" to table: "attendances"
ALTER TABLE `attendances` DROP COLUMN `face_policy`;
-- reverse: add column "face_version" to table: "attendances"
ALTER TABLE `attendances` DROP COLUMN `face_version`;
-- reverse: add column "face_distance" to table: "attendances"
ALTER TABLE `attendances` DROP COLUMN `face_distance`;
