-- Callbacks that are stored together share one row. Their ids end with their place in it, and the row's id with 00; `body` is empty then.
alter table callbacks add column bodies text[];

-- A page is more than the 8 kB up to which a row is not compressed. Not every server was built with the fast method.
do $$
begin
  alter table callbacks alter column bodies set compression lz4;
exception
  when feature_not_supported then null;
end
$$;
