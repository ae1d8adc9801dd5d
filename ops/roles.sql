-- The two roles of the server: `pyramid_owner` migrates and owns all tables, `pyramid_app` plays.
-- The second may neither change a table nor switch off the triggers of an append-only one; the
-- migrations take from it the right to change the rows of such tables.
--
-- Run by psql as a superuser in the server's own, still empty database; Compose does it when it
-- makes the database. Safe to run again, with new passwords too:
--
--   OWNER_PASSWORD_FILE=... APP_PASSWORD_FILE=... psql --dbname=pyramid --file=ops/roles.sql

\set ON_ERROR_STOP on
\set owner_password `cat "$OWNER_PASSWORD_FILE"`
\set app_password `cat "$APP_PASSWORD_FILE"`

SELECT format('CREATE ROLE %I LOGIN', wanted)
FROM unnest(ARRAY['pyramid_owner', 'pyramid_app']) AS wanted
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted)
\gexec
ALTER ROLE pyramid_owner PASSWORD :'owner_password';
ALTER ROLE pyramid_app PASSWORD :'app_password';

-- Statements that fail, and the rows that they name, hold cards and password hashes: the log of
-- PostgreSQL says what went wrong, and quotes neither.
SELECT format('ALTER ROLE %I SET %s', role, setting)
FROM unnest(ARRAY['pyramid_owner', 'pyramid_app']) AS role,
    unnest(ARRAY[
        'log_min_error_statement = panic',
        'log_error_verbosity = terse',
        'log_parameter_max_length_on_error = 0'
    ]) AS setting
\gexec

ALTER DATABASE :"DBNAME" OWNER TO pyramid_owner;
REVOKE ALL ON DATABASE :"DBNAME" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"DBNAME" TO pyramid_app;
GRANT USAGE ON SCHEMA public TO pyramid_app;

-- A process that hangs in the middle of a transaction must not keep its locks for ever.
ALTER ROLE pyramid_app SET idle_in_transaction_session_timeout = '1min';

-- Of whatever the owner makes from here on.
ALTER DEFAULT PRIVILEGES FOR ROLE pyramid_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO pyramid_app;
ALTER DEFAULT PRIVILEGES FOR ROLE pyramid_owner IN SCHEMA public
    GRANT USAGE ON SEQUENCES TO pyramid_app;
