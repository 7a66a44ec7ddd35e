-- Keeps deleted rows as JSON in the trash entry of the transaction, if it has one.
create or replace function keep_deleted_rows() returns trigger language plpgsql as $$
declare
  entry text := trash_of_transaction();
begin
  if entry is not null then
    insert into trash_row (entry_id, source, content) select entry, tg_table_name, row_to_json(gone) from gone;
  end if;
  return null;
end $$;

create or replace trigger data_bucket_gone after delete on data_bucket referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger datasource_gone after delete on datasource referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger datasource_revision_gone after delete on datasource_revision referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger module_gone after delete on module referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger module_datasource_gone after delete on module_datasource referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger app_gone after delete on app referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger app_module_gone after delete on app_module referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger app_guest_gone after delete on app_guest referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger task_gone after delete on task referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger task_reference_gone after delete on task_reference referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger job_gone after delete on job referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger job_log_gone after delete on job_log referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger job_operation_gone after delete on job_operation referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger app_release_gone after delete on app_release referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger app_release_data_gone after delete on app_release_data referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger share_link_gone after delete on share_link referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger credential_gone after delete on credential referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger scenario_gone after delete on scenario referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger scenario_module_gone after delete on scenario_module referencing old table as gone
  for each statement execute function keep_deleted_rows();
create or replace trigger job_output_page_gone after delete on job_output_page referencing old table as gone
  for each statement execute function keep_deleted_rows();
