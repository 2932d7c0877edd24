"""The pages: server-rendered, useful without JavaScript."""
