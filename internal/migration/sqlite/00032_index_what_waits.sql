-- +goose Up
-- create index "deviceapproval_company_id_status" to table: "device_approvals"
CREATE INDEX `deviceapproval_company_id_status` ON `device_approvals` (`company_id`, `status`);
-- create index "facereset_company_id_pending" to table: "face_resets"
CREATE INDEX `facereset_company_id_pending` ON `face_resets` (`company_id`, `pending`);

-- +goose Down
-- reverse: create index "facereset_company_id_pending" to table: "face_resets"
DROP INDEX `facereset_company_id_pending`;
-- reverse: create index "deviceapproval_company_id_status" to table: "device_approvals"
DROP INDEX `deviceapproval_company_id_status`;
