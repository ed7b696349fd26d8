-- +goose Up
-- create index "attendance_company_id_work_date_needs_confirmation" to table: "attendances"
CREATE INDEX `attendance_company_id_work_date_needs_confirmation` ON `attendances` (`company_id`, `work_date`, `needs_confirmation`);

-- +goose Down
-- reverse: create index "attendance_company_id_work_date_needs_confirmation" to table: "attendances"
DROP INDEX `attendance_company_id_work_date_needs_confirmation`;
