-- Anyone who may connect can take an advisory lock, and so could make every writer wait. A table can be locked only by those who may write it.
-- Waits for the transaction that writes at this moment.
SELECT lock_events();
CREATE TABLE writing ();
CREATE OR REPLACE FUNCTION lock_events() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE writing IN EXCLUSIVE MODE;
END $$;
