-- +goose Up
-- modify "tasks" table
ALTER TABLE `tasks` DROP INDEX `task_company_id_created_at`, DROP INDEX `task_company_id_status_created_at`, ADD INDEX `task_company_id_deleted_at_created_at` (`company_id`, `deleted_at`, `created_at`), ADD INDEX `task_company_id_deleted_at_status_created_at` (`company_id`, `deleted_at`, `status`, `created_at`);

-- +goose Down
-- reverse: modify "tasks" table
ALTER TABLE `tasks` DROP INDEX `task_company_id_deleted_at_status_created_at`, DROP INDEX `task_company_id_deleted_at_created_at`, ADD INDEX `task_company_id_status_created_at` (`company_id`, `status`, `created_at`), ADD INDEX `task_company_id_created_at` (`company_id`, `created_at`);
