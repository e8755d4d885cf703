//! Numbers as page, YAML comments and command line write them.
