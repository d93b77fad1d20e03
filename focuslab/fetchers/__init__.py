"""How a URL becomes a Response over the network: wrap one in another."""
