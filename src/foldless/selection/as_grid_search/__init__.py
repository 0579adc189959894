"""What makes a search stand in for GridSearchCV: its arguments, its routing of metadata, the methods of its model."""
