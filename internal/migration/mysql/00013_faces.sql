-- +goose Up
-- modify "attendances" table
ALTER TABLE `attendances` MODIFY COLUMN `face_verdict` enum('none','registered','provisional','unchecked','match','doubtful','mismatch') NOT NULL DEFAULT 'none', ADD COLUMN `face_distance` double NULL, ADD COLUMN `face_version` bigint NULL, ADD COLUMN `face_policy` enum('block','flag','off') NULL, ADD COLUMN `clocked_out_face_verdict` enum('none','registered','provisional','unchecked','match','doubtful','mismatch') NOT NULL DEFAULT 'none', ADD COLUMN `clocked_out_face_distance` double NULL, ADD COLUMN `clocked_out_face_version` bigint NULL, ADD COLUMN `clocked_out_face_policy` enum('block','flag','off') NULL, ADD COLUMN `clocked_out_face_digest` binary(32) NULL, ADD INDEX `attendance_company_id_face_digest` (`company_id`, `face_digest`), ADD INDEX `attendance_company_id_clocked_out_face_digest` (`company_id`, `clocked_out_face_digest`);
-- modify "face_templates" table
ALTER TABLE `face_templates` ADD COLUMN `replaced_at` datetime(6) NULL, ADD INDEX `facetemplate_replaced_at` (`replaced_at`);
-- create "face_galleries" table
CREATE TABLE `face_galleries` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `version` bigint NOT NULL,
  `sealed` mediumtext NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `facegallery_user_id` (`user_id`),
  CONSTRAINT `face_galleries_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `face_galleries_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "face_resets" table
CREATE TABLE `face_resets` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `reason` varchar(250) NOT NULL,
  `status` enum('pending','approved','rejected') NOT NULL DEFAULT 'pending',
  `pending` tinyint NULL DEFAULT 1,
  `requested_at` datetime(6) NOT NULL,
  `decided_at` datetime(6) NULL,
  `decided_by` bigint NULL,
  `note` varchar(250) NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `facereset_user_id_pending` (`user_id`, `pending`),
  INDEX `facereset_company_id_requested_at` (`company_id`, `requested_at`),
  CONSTRAINT `face_resets_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `face_resets_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "face_resets" table
DROP TABLE `face_resets`;
-- reverse: create "face_galleries" table
DROP TABLE `face_galleries`;
-- reverse: modify "face_templates" table
ALTER TABLE `face_templates` DROP INDEX `facetemplate_replaced_at`, DROP COLUMN `replaced_at`;
-- reverse: modify "attendances" table
ALTER TABLE `attendances` DROP INDEX `attendance_company_id_clocked_out_face_digest`, DROP INDEX `attendance_company_id_face_digest`, DROP COLUMN `clocked_out_face_digest`, DROP COLUMN `clocked_out_face_policy`, DROP COLUMN `clocked_out_face_version`, DROP COLUMN `clocked_out_face_distance`, DROP COLUMN `clocked_out_face_verdict`, DROP COLUMN `face_policy`, DROP COLUMN `face_version`, DROP COLUMN `face_distance`, MODIFY COLUMN `face_verdict` enum('none','registered','provisional','unchecked') NOT NULL DEFAULT 'none';
