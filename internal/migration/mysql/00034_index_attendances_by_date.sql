-- +goose Up
-- modify "attendances" table
ALTER TABLE `attendances` ADD INDEX `attendance_company_id_work_date_needs_confirmation` (`company_id`, `work_date`, `needs_confirmation`);

-- +goose Down
-- reverse: modify "attendances" table
ALTER TABLE `attendances` DROP INDEX `attendance_company_id_work_date_needs_confirmation`;
