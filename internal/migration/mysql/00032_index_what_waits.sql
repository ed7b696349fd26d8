-- +goose Up
-- modify "device_approvals" table
ALTER TABLE `device_approvals` ADD INDEX `deviceapproval_company_id_status` (`company_id`, `status`);
-- modify "face_resets" table
ALTER TABLE `face_resets` ADD INDEX `facereset_company_id_pending` (`company_id`, `pending`);

-- +goose Down
-- reverse: modify "face_resets" table
ALTER TABLE `face_resets` DROP INDEX `facereset_company_id_pending`;
-- reverse: modify "device_approvals" table
ALTER TABLE `device_approvals` DROP INDEX `deviceapproval_company_id_status`, ADD INDEX `device_approvals_companies_company` (`company_id`);
